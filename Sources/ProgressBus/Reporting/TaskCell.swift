import Synchronization

/// The part of a task that its users reach without a lock.
///
/// Shared between the task's handle, which writes it, and the machine, which reads it at its ticks.
//
// Unchecked because it is inherited from, once: it has nothing but atomics itself.
class TaskCell: @unchecked Sendable {
    // How far the task is, is the sum of two words, both doubled.
    //
    // Nothing is lost between them: `local` has one writer, and `shared` is changed by atomic
    // operations alone. Who adds to `shared` learns in the same instruction whether the mark was on.
    // The writer of `local` stores first and looks at the mark then; if it is interrupted in between
    // it looks late, which does no harm. But a processor may look while its store still waits to
    // leave it, for microseconds at most. So whoever takes the mark off has to read the amount once
    // more, milliseconds later: by then such a store has arrived, and every later one has seen that
    // the mark is off.

    /// Changed by one thread alone, without a locked instruction, which costs more than all the rest.
    private let local = Atomic<Int64>(0)
    /// Changed by everybody else; its lowest bit is the mark.
    private let shared = Atomic<Int64>(0)
    /// What viewers have asked for and nobody refused.
    let requests = Atomic<UInt8>(0)
    /// The task has said its last word, or was never followed.
    let hasEnded = Atomic<Bool>(false)

    init() {}

    /// A cell that nobody reads: an advance costs the same and goes nowhere.
    static func inert() -> TaskCell {
        let cell = TaskCell()
        cell.retire()
        return cell
    }

    /// The greatest amount that is counted; whoever is there is as far as one can be.
    static let greatest = Int64.max >> 1

    // Sums wrap beyond what anybody counts to, as ending the process would be worse.

    /// Moves on; whether the machine must be told, as it does not look at the task.
    @inline(__always)
    final func advance(by step: Int64) -> Bool {
        shared.wrappingAdd(step << 1, ordering: .relaxed).oldValue & 1 == 0
    }

    /// The same for one thread, always the same one.
    @inline(__always)
    final func advanceLocally(by step: Int64) -> Bool {
        moveLocally(by: step)
        return !isMarked
    }

    /// The half of it that others may see late.
    @inline(__always)
    final func moveLocally(by step: Int64) {
        local.store(local.load(ordering: .relaxed) &+ step << 1, ordering: .relaxed)
    }

    /// Says how far the task is; whether the machine must be told.
    ///
    /// The last of several counts, as one word decides which that is. It takes in what was added to
    /// that before; steps of the local thread that it did not see come on top, as if taken after it.
    final func complete(_ amount: Int64) -> Bool {
        let rest = min(amount, Self.greatest) << 1 &- local.load(ordering: .relaxed)
        return shared.exchange(rest | 1, ordering: .relaxed) & 1 == 0
    }

    /// The amount as it may be said to others.
    ///
    /// As long as nobody takes anything back, it is between what the task had done when the reading
    /// began and when it ended; else it may be off by what moved in between. Who moves then finds
    /// the mark on or tells, so that it is read again.
    final var reading: Int64 {
        let sum = shared.load(ordering: .relaxed) &+ local.load(ordering: .relaxed)
        return sum >> 1 == Self.greatest ? .max : max(0, sum >> 1)
    }

    /// Set while the machine has the task in its changed list or need not have it.
    @inline(__always)
    final var isMarked: Bool { shared.load(ordering: .relaxed) & 1 == 1 }

    final func mark() {
        shared.bitwiseOr(1, ordering: .relaxed)
    }

    final func unmark() {
        shared.bitwiseAnd(~1, ordering: .relaxed)
    }

    /// Makes later movements free: the mark stays set and nobody looks.
    final func retire() {
        hasEnded.store(true, ordering: .releasing)
        mark()
    }

    final func requested(_ request: TaskRequests) -> Bool {
        TaskRequests(rawValue: requests.load(ordering: .acquiring)).contains(request)
    }

    final func insert(_ request: TaskRequests) {
        requests.bitwiseOr(request.rawValue, ordering: .acquiringAndReleasing)
    }

    final func remove(_ request: TaskRequests) {
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
