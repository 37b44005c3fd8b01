import ArgumentParser
import DashboardCore
import ProgressBus
import TaskTree

/// Waits for the ends of tasks and prints each as it comes.
struct JobWait {
    /// How long the broker may take to say which tasks are meant.
    private static let findTime = Duration.seconds(10)

    let follower: BusFollower
    /// Whether the first end is enough.
    let endsWithFirst: Bool

    /// Returns the exit code of `wait` when all, or the first of them, have ended.
    ///
    /// All tasks must exist before any is waited for.
    ///
    /// - Throws: `FollowError` where a name is none, or nobody saw how a task ended.
    func run(_ names: [TaskSelector], seconds: Double?) async throws -> ExitCode {
        var tasks: [TaskID] = []
        for name in names {
            tasks.append(try await follower.find(name, timeout: Self.findTime).task)
        }
        let (heard, hears) = AsyncStream<Void>.makeStream()
        let count = tasks.count
        return try await withThrowingTaskGroup(of: TaskState?.self) { group in
            for task in tasks {
                group.addTask { try await self.end(of: task) { hears.yield() } }
            }
            if let seconds {
                let time = Duration.seconds(min(seconds, 1e9))
                group.addTask {
                    try await Task.sleep(for: time)
                    // What has ended already counts, however short the time is.
                    for await _ in heard.prefix(count) {}
                    // The ends that were heard just now are printed first.
                    try await Task.sleep(for: .milliseconds(10))
                    return nil
                }
                group.addTask {
                    try await Task.sleep(for: time + Self.findTime)
                    return nil
                }
            }
            defer { group.cancelAll() }
            var ends: [TaskState] = []
            let wanted = endsWithFirst ? 1 : tasks.count
            while ends.count < wanted, let next = try await group.next() {
                guard let state = next else { throw Self.timeIsUp(tasks.count - ends.count) }
                ends.append(state)
            }
            return Self.code(of: ends)
        }
    }

    /// The state in which a task has ended, printed with its title; says when it is first heard of.
    private func end(of task: TaskID, heard: @Sendable () -> Void) async throws -> TaskState? {
        var last: TaskSnapshot?
        for try await update in follower.updates(of: .id(task), depth: 0) {
            if last == nil { heard() }
            last = update.task
            if update.task.state.isEnded { break }
        }
        try Task.checkCancellation()
        guard let last, last.state.isEnded else {
            throw CommandFailure(.unavailable, "the task \(task) can no longer be followed")
        }
        try StandardStreams.print(TaskSentence(last).line)
        return last.state
    }

    /// The worst of the ends as the code of a program.
    static func code(of ends: [TaskState]) -> ExitCode {
        if ends.contains(.failed) { return .failure }
        if ends.contains(.lost) { return .lost }
        if ends.contains(.cancelled) { return .cancelled }
        return .success
    }

    private static func timeIsUp(_ count: Int) -> CommandFailure {
        let tasks = count == 1 ? "1 task has" : "\(count) tasks have"
        return CommandFailure(.timeIsUp, "the time is up and \(tasks) not ended")
    }
}
