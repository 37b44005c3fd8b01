import Synchronization

/// The part of a task that its users reach without a lock.
///
/// Shared between the task's handle, which writes it, and the machine, which reads it at its ticks.
//
// Unchecked because it is inherited from, once: it has nothing but atomics itself.
class TaskCell: @unchecked Sendable {
    // One word has the amount, doubled, and in its lowest bit the mark: the machine has the task in
    // its changed list, or need not have it.
    //
    // Nobody's step is lost. All changes of the word are atomic, so they have one order, and each is
    // before or after the one that takes the mark off. What was before is in the amount that this
    // one returns. Who comes after learns in the same instruction that the mark is off, and tells.
    private let word = Atomic<Int64>(0)
    /// What viewers have asked for and nobody refused.
    let requests = Atomic<UInt8>(0)
    /// The task has said its last word, or was never followed.
    let hasEnded = Atomic<Bool>(false)

    init() {}

    /// The greatest amount that is counted; whoever is there is as far as one can be.
    static let greatest = Int64.max >> 1

    // Sums wrap beyond what anybody counts to, as ending the process would be worse.

    /// Moves on; whether the machine must be told, as it does not look at the task.
    @inline(__always)
    final func advance(by step: Int64) -> Bool {
        word.wrappingAdd(step << 1, ordering: .relaxed).oldValue & 1 == 0
    }

    /// Says how far the task is; whether the machine must be told.
    ///
    /// The last of several counts.
    final func complete(_ amount: Int64) -> Bool {
        let amount = min(amount, Self.greatest)
        return word.exchange(amount << 1 | 1, ordering: .relaxed) & 1 == 0
    }

    /// The amount as it may be said to others.
    final var reading: Int64 { Self.amount(in: word.load(ordering: .relaxed)) }

    private static func amount(in word: Int64) -> Int64 {
        word >> 1 == greatest ? .max : max(0, word >> 1)
    }

    /// Set while the machine has the task in its changed list or need not have it.
    @inline(__always)
    final var isMarked: Bool { word.load(ordering: .relaxed) & 1 == 1 }

    final func mark() {
        word.bitwiseOr(1, ordering: .relaxed)
    }

    /// Takes the mark off; returns the amount at that moment.
    @discardableResult
    final func unmark() -> Int64 {
        Self.amount(in: word.bitwiseAnd(~1, ordering: .relaxed).oldValue)
    }

    /// Makes later movements free: the mark stays set and nobody looks.
    final func retire() {
        hasEnded.store(true, ordering: .releasing)
        mark()
    }

    final func requested(_ request: PendingRequests) -> Bool {
        PendingRequests(rawValue: requests.load(ordering: .acquiring)).contains(request)
    }

    final func insert(_ request: PendingRequests) {
        requests.bitwiseOr(request.rawValue, ordering: .acquiringAndReleasing)
    }

    final func remove(_ request: PendingRequests) {
        requests.bitwiseAnd(~request.rawValue, ordering: .acquiringAndReleasing)
    }
}

/// What is asked of a task at the moment.
struct PendingRequests: OptionSet, Sendable {
    var rawValue: UInt8

    static let cancel = PendingRequests(rawValue: 1)
    static let pause = PendingRequests(rawValue: 2)
}
