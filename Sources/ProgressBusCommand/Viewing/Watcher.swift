import Essentials
import ProcessControl
import ProgressBus
import Synchronization

/// Follows the bus and prints the lines that a formatter makes of each picture.
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
        var hasEnded = false
        for try await update in follower.updates(of: TaskSelector(job), depth: depth) {
            var picture = WatchedPicture(update)
            // Only messages come after the final state.
            if hasEnded { picture.changed = [] }
            hasEnded = update.task.state.isEnded
            try show(picture)
        }
    }

    private func followBoard(depth: Int) async throws {
        var revisions: [TaskID: UInt64] = [:]
        for try await board in follower.boards(depth: depth, messages: true) {
            var picture = WatchedPicture(board, since: revisions)
            // Messages from before this watcher began are not printed.
            picture.messages.removeAll { $0.time < begun.addingTimeInterval(-1) }
            if board.connection == .live { revisions = board.revisions }
            try show(picture)
        }
    }

    /// Prints the lines that are due by time once a second, and notices that nobody reads any more.
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
