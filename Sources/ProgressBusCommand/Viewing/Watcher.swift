import ProcessControl
import ProgressBus
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Follows the bus and prints the lines that a formatter makes of it, until everything wanted is said.
final class Watcher: Sendable {
    private let follower: BusFollower
    private let formatter: Mutex<any WatchFormatter>
    private let begun = Date.now

    init(follower: BusFollower, formatter: any WatchFormatter) {
        self.follower = follower
        self.formatter = Mutex(formatter)
    }

    /// Returns after the final state of the one task, or when the follower is closed.
    ///
    /// - Throws: `OutputClosed` when nobody reads any more, `FollowError` if there is nothing to
    ///   follow.
    func run(job: String?, depth: Int) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                if let job {
                    try await self.follow(job, depth: depth)
                } else {
                    try await self.followBoard(depth: depth)
                }
            }
            group.addTask { try await self.keepTime() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func follow(_ job: String, depth: Int) async throws {
        var last: TaskSnapshot?
        var said: Set<TaskMessage> = []
        for try await update in follower.updates(of: TaskSelector(job), depth: depth) {
            try show(WatchedPicture(update))
            last = update.task
            said.formUnion(update.messages)
        }
        guard let last, last.state.isEnded else { return }
        try await showLastMessages(of: last.id, besides: said)
    }

    /// The last messages come by another way than the ending, and may come after it.
    private func showLastMessages(of task: TaskID, besides said: Set<TaskMessage>) async throws {
        try await Task.sleep(for: .milliseconds(100))
        try await withThrowingTaskGroup { group in
            group.addTask {
                // More than one value may have a line that came while this was asked for.
                var said = said
                do {
                    for try await update in self.follower.updates(of: .id(task), depth: 0) {
                        var picture = WatchedPicture(update)
                        picture.changed = []
                        picture.messages.removeAll { !said.insert($0).inserted }
                        try self.show(picture)
                    }
                } catch is FollowError {
                    // It has left the bus, and its messages with it.
                }
            }
            // The broker may be gone; then this ends without them.
            group.addTask { try await Task.sleep(for: .seconds(2)) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func followBoard(depth: Int) async throws {
        var revisions: [TaskID: UInt64] = [:]
        for try await board in follower.boards(depth: depth, messages: true) {
            var picture = WatchedPicture(board, since: revisions)
            // What was said before somebody watched is history.
            picture.messages.removeAll { $0.time < begun.addingTimeInterval(-1) }
            if board.connection == .live { revisions = board.revisions }
            try show(picture)
        }
    }

    /// Once a second: lines that time alone makes due, and whether anybody still reads.
    private func keepTime() async throws {
        while true {
            do {
                try await Task.sleep(for: .seconds(1))
            } catch {
                return
            }
            try print { try $0.lines(at: .now) }
            if Self.isOutputClosed { throw OutputClosed() }
        }
    }

    private func show(_ picture: WatchedPicture) throws {
        try print { try $0.lines(for: picture, at: .now) }
    }

    private func print(_ make: (inout any WatchFormatter) throws -> [String]) throws {
        try formatter.withLock { formatter in
            for line in try make(&formatter) { try StandardStreams.print(line) }
        }
    }

    /// Whether the reader of standard output is gone, which a write alone would tell only later.
    private static var isOutputClosed: Bool {
        var item = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&item, 1, 0) > 0 && item.revents & Int16(POLLERR) != 0
    }
}
