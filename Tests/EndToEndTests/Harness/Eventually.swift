import Foundation

/// What a test has waited for in vain.
struct NeverHappened: Error, CustomStringConvertible {
    var what: String
    var patience: Duration
    /// What was seen instead.
    var last: String

    var description: String {
        "never happened within \(patience): \(what)" + (last.isEmpty ? "" : "\n\(last)")
    }
}

/// Looks again and again until the closure returns a value, and returns that.
///
/// Give it ten times what it should take: only a failing test waits that long. A machine that has
/// no time for the test itself does not make it fail: it looks at least ten times.
///
/// - Parameters:
///   - what: What is waited for, for the reader of a failure.
///   - patience: How long.
///   - interval: Pause between two looks.
///   - instead: What was seen last, asked for when patience ends.
///   - condition: What is waited for; nil for not yet.
/// - Returns: That value.
/// - Throws: `NeverHappened`, what the closure throws, or `CancellationError`.
@discardableResult
func eventually<Value>(
    _ what: String,
    within patience: Duration = .seconds(20),
    every interval: Duration = .milliseconds(20),
    instead: () -> String = { "" },
    _ condition: () async throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    var looks = 0
    while true {
        if let value = try await condition() { return value }
        looks += 1
        if looks >= 10, clock.now > deadline {
            throw NeverHappened(what: what, patience: patience, last: instead())
        }
        try await Task.sleep(for: interval)
    }
}

/// Looks again and again until the closure returns true.
func eventually(
    _ what: String,
    within patience: Duration = .seconds(20),
    every interval: Duration = .milliseconds(20),
    instead: () -> String = { "" },
    _ condition: () async throws -> Bool
) async throws {
    try await eventually(what, within: patience, every: interval, instead: instead) {
        try await condition() ? () : nil
    }
}

/// Runs work on many items, some of them at a time, in the order of the items.
func concurrently<Item: Sendable>(
    _ items: some Sequence<Item>,
    atATime limit: Int,
    _ work: @escaping @Sendable (Item) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        var running = 0
        for item in items {
            if running == limit {
                try await group.next()
                running -= 1
            }
            group.addTask { try await work(item) }
            running += 1
        }
        try await group.waitForAll()
    }
}
