import OutputReading
import ProgressBus

/// The task of a command on the bus, and its parts.
struct ChildTask {
    let task: ProgressTask
    private var ledger = SampleLedger()
    private var parts: [String: ProgressTask] = [:]
    /// What it was said to be doing.
    private var detail = ""
    /// Whether anything was said that was read.
    private(set) var hasRead = false

    init(_ task: ProgressTask) {
        self.task = task
    }

    mutating func take(_ samples: [ProgressSample]) {
        for sample in samples { ledger.take(sample) }
    }

    /// Says what is new; once a tick is enough.
    mutating func tell() {
        hasRead = hasRead || !ledger.isEmpty
        for statement in ledger.drain() {
            switch statement {
            case .begin(let name, let unit, let total, let isEstimate, let counts):
                parts[name] = task.beginChild(
                    name,
                    share: counts ? 1 : 0,
                    total: total.map { Int($0) },
                    unit: unit.map { ProgressUnit($0) } ?? .items,
                    options: TaskOptions(totalIsEstimate: isEstimate)
                )
            case .update(let sample):
                if let part = sample.part {
                    parts[part].map { Self.state(sample, of: $0) }
                } else {
                    Self.state(sample, of: task)
                    detail = sample.detail ?? detail
                }
            case .succeed(let name):
                parts.removeValue(forKey: name)?.succeed()
            case .expectParts(let count):
                task.expectChildren(count)
                for part in parts.values { part.setShare(1) }
            }
        }
    }

    /// The command reports itself: what was read of it would count twice, and goes.
    mutating func forget() {
        ledger = SampleLedger()
        for part in parts.values { part.withdraw() }
        parts = [:]
        guard hasRead else { return }
        Self.state(.nothingKnown, of: task)
        detail = ""
        task.setDetail(detail)
    }

    /// What a task says whose terminal has stopped it, and us.
    static let stoppedWords = "stopped at its terminal, where fg lets it go on"

    func pause() {
        for task in parts.values { task.pause() }
        task.pause()
    }

    func resume() {
        task.resume()
        for task in parts.values { task.resume() }
    }

    /// Says that nobody works here, ourselves included: only then is our silence not taken for a
    /// fault.
    func showStopped() {
        pause()
        task.setDetail(Self.stoppedWords)
    }

    func showContinued() {
        resume()
        task.setDetail(detail)
    }

    /// Ends the parts and the task as the command has ended, which had these last words.
    mutating func end(_ ending: ChildSupervisor.Ending, lastLines: [String] = []) {
        tell()
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

extension ProgressSample {
    fileprivate static var nothingKnown: ProgressSample {
        var sample = ProgressSample()
        sample.isUnknown = true
        return sample
    }
}
