import Synchronization

/// The part of a task that its users reach without a lock.
///
/// Shared between the task's handle, which writes it, and the machine, which reads it at its ticks.
final class TaskCell: Sendable {
    /// How far the task is.
    ///
    /// Only absolute readings leave the process, clamped to 0 and above.
    let completed = Atomic<Int64>(0)
    /// Set while the machine has the task in its changed list, so that one test is enough to know
    /// that a movement will be seen.
    let isMarked = Atomic<Bool>(false)
    /// What viewers have asked for and nobody refused.
    let requests = Atomic<UInt8>(0)
    /// The task has said its last word, or was never followed.
    let isEnded = Atomic<Bool>(false)

    init() {}

    /// A cell that nobody reads: an advance costs the same and goes nowhere.
    static func inert() -> TaskCell {
        let cell = TaskCell()
        cell.retire()
        return cell
    }

    /// The amount as it may be said to others.
    var reading: Int64 { max(0, completed.load(ordering: .relaxed)) }

    /// Makes later movements free: the mark stays set and nobody looks.
    func retire() {
        isEnded.store(true, ordering: .releasing)
        isMarked.store(true, ordering: .relaxed)
    }

    func requested(_ request: TaskRequests) -> Bool {
        TaskRequests(rawValue: requests.load(ordering: .acquiring)).contains(request)
    }

    func insert(_ request: TaskRequests) {
        requests.bitwiseOr(request.rawValue, ordering: .acquiringAndReleasing)
    }

    func remove(_ request: TaskRequests) {
        requests.bitwiseAnd(~request.rawValue, ordering: .acquiringAndReleasing)
    }
}

/// What is asked of a task at the moment.
struct TaskRequests: OptionSet, Sendable {
    var rawValue: UInt8

    static let cancel = TaskRequests(rawValue: 1)
    static let pause = TaskRequests(rawValue: 2)
}

/// What somebody can ask of a task.
enum RequestVerb: Sendable, Hashable {
    case cancel, pause, resume
}
