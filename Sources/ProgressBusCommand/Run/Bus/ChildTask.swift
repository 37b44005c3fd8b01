import OutputReading
import ProgressBus

/// What an adapter has found in a command's output.
typealias ProgressSample = OutputReading.ProgressSample

/// The task of a command on the bus, and its parts.
struct ChildTask {
    let task: ProgressTask
    private var parts: [String: ProgressTask] = [:]
    /// The number of parts, once a sample has told it.
    private var expectedParts: Int?
    /// Whether the command itself has amounts, so that its parts do not count in its fraction.
    private var hasOwnAmounts = false
    /// The last detail that was read from the command's output.
    private var detail = ""
    /// Whether the command's output has given any sample.
    private(set) var hasRead = false

    init(_ task: ProgressTask) {
        self.task = task
    }

    /// Reports the samples to the bus; once a tick is enough.
    mutating func say(_ samples: [ProgressSample]) {
        hasRead = hasRead || !samples.isEmpty
        for sample in samples {
            if let name = sample.part {
                say(sample, of: name)
            } else {
                if sample.isUnknown { hasOwnAmounts = false }
                hasOwnAmounts = hasOwnAmounts || sample.completed != nil || sample.total != nil
                Self.state(sample, of: task)
                detail = sample.detail ?? detail
            }
            if let count = sample.expectedParts, count != expectedParts, !hasOwnAmounts {
                expectedParts = count
                task.expectChildren(count)
                for part in parts.values { part.setShare(1) }
            }
        }
    }

    private mutating func say(_ sample: ProgressSample, of name: String) {
        // A part has a share only if the number of parts is known.
        let part =
            parts[name]
            ?? task.beginChild(
                name,
                share: expectedParts == nil ? 0 : 1,
                total: sample.total.map { Int($0) },
                unit: sample.unit.map { ProgressUnit($0) } ?? .items,
                options: TaskOptions(totalIsEstimate: sample.totalIsEstimate)
            )
        Self.state(sample, of: part)
        if sample.isDone { part.succeed() }
        parts[name] = sample.isDone ? nil : part
    }

    /// Withdraws what was read, because the command now reports itself and would count twice.
    mutating func forget() {
        for part in parts.values { part.withdraw() }
        parts = [:]
        guard hasRead else { return }
        Self.state(.unknown, of: task)
        detail = ""
        task.setDetail(detail)
    }

    /// The detail of a task that the terminal has stopped together with this process.
    static let stoppedWords = "stopped at its terminal, where fg lets it go on"

    func pause() {
        for task in parts.values { task.pause() }
        task.pause()
    }

    func resume() {
        task.resume()
        for task in parts.values { task.resume() }
    }

    /// Shows the tasks as paused, so that the silence of this stopped process is not taken for a
    /// fault.
    func showStopped() {
        pause()
        task.setDetail(Self.stoppedWords)
    }

    func showContinued() {
        resume()
        task.setDetail(detail)
    }

    /// Ends the parts and the task as the command ended, with the last lines of its output.
    mutating func end(_ ending: ChildSupervisor.Ending, lastLines: [String] = []) {
        for task in parts.values { Self.end(task, ending) }
        parts = [:]
        guard case .failed(let reason) = ending else { return Self.end(task, ending) }
        for line in lastLines { task.log(line) }
        task.fail(FailureReason.join(reason, lastLines))
    }

    private static func end(_ task: ProgressTask, _ ending: ChildSupervisor.Ending) {
        switch ending {
        case .succeeded: task.succeed()
        case .failed(let reason): task.fail(reason)
        case .cancelled(let reason): task.endCancelled(reason)
        }
    }

    private static func state(_ sample: ProgressSample, of task: ProgressTask) {
        if sample.isUnknown {
            task.clearTotal()
            task.complete(0)
            task.setUnit(.items)
        }
        sample.unit.map { task.setUnit(ProgressUnit($0)) }
        sample.total.map { task.setTotal(Int($0), isEstimate: sample.totalIsEstimate) }
        sample.completed.map { task.complete(Int($0)) }
        sample.detail.map(task.setDetail)
    }
}
