import ArgumentParser
import DashboardCore
import ProgressBus
import TaskTree

/// Waits for the ends of tasks and prints each as it comes.
struct JobWait {
    /// How long the broker may take to find a task by its name.
    private static let findTime = Duration.seconds(10)

    let follower: BusFollower
    /// Whether to return when the first task has ended.
    let endsWithFirst: Bool

    /// Returns the exit code of `wait` when all, or the first of them, have ended.
    ///
    /// All tasks must exist before any is waited for.
    ///
    /// - Throws: `FollowError` if a name fits no task, or nobody saw how a task ended;
    ///   `CommandFailure` with exit code 124 if the time is up.
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
                    // Hears of each task first: one that has already ended counts, however short
                    // the time is.
                    for await _ in heard.prefix(count) {}
                    // Lets the ends that were heard just now be printed first.
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

    /// Waits until a task has ended and prints it; calls `heard` when it first hears of the task.
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

    /// The exit code for the worst of the ends.
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
