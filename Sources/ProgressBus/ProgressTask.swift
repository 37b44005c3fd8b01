import Synchronization
public import TaskTree

/// A piece of work that reports how far it is.
///
/// Begin one with `BusClient.beginJob`, `beginChild`, `withChild` or by redeeming a ticket, advance
/// it while working, and end it with `succeed()`, `fail(_:)` or `endCancelled(_:)`. A task whose
/// process dies without an ending is shown as lost, never as done.
///
/// Keep the handle of a job until the job has ended: without it nobody can end the job, and debug
/// builds warn about that. Only `checkpoint()` and `withChild` wait or throw. Calls after the
/// ending have no effect. Safe to use from any thread; several may advance one task at the same
/// time. Two handles are equal if they are of the same task.
public final class ProgressTask: Sendable, Identifiable {
    /// The task's id, which is unique for ever and may be passed to other processes.
    public var id: TaskID { TaskID(index: record.index, session: reporter.session) }

    let reporter: Reporter
    /// What the reporter knows of the task; handles use only its index and its atomic fields.
    let record: ReportedTask
    /// Begins the task below another one of the same session; 0 means that there is none.
    init(_ reporter: Reporter, _ record: ReportedTask, below parent: UInt64) {
        reporter.begin(record, below: parent)
        self.reporter = reporter
        self.record = record
    }

    #if DEBUG
    deinit {
        reporter.warnIfLeft(record)
    }
    #endif

    // MARK: - How far it is

    /// Moves the task on; the call for the innermost loop.
    ///
    /// Costs one atomic addition, without a lock or an allocation, however deep in the tree the
    /// task is and whether anybody looks or not. Only the first call after a standstill does more:
    /// it takes a lock and lists the task for the next report. Not for signal handlers.
    ///
    /// - Parameter step: How many units were done; a negative number takes units back. Limited to
    ///   ±2⁴⁸. A sum below 0 is reported as 0.
    public func advance(by step: Int = 1) {
        if record.advance(by: Int64(max(-1 << 48, min(step, 1 << 48)))) { mark() }
    }

    /// Says how many units are done in all; use it where the work is counted elsewhere.
    ///
    /// Costs one atomic operation; the first call after a standstill also takes a lock.
    ///
    /// - Parameter amount: Units done since the beginning; negative counts as 0.
    public func complete(_ amount: Int) {
        if record.complete(Int64.amount(amount)) { mark() }
    }

    /// How far the task is, in units since the beginning.
    public var completed: Int { Int(record.reading) }

    /// The slow half of an advance: tells the reporter that the task moves again.
    @inline(never)
    private func mark() {
        reporter.report { $0.list(self.record.index, at: $1) }
    }

    /// Whether the task has ended, or is reported to nobody.
    public var isEnded: Bool { record.hasEnded.load(ordering: .acquiring) }

    // MARK: - Endings

    /// Says that all is done.
    ///
    /// While children still run, the task is shown as running until they have ended too. The first
    /// ending counts; later ones have no effect.
    public func succeed() {
        reporter.end(record.index, .succeeded)
    }

    /// Says that the task failed; everything below it that has not ended is over with it.
    ///
    /// - Parameter reason: Why, in a sentence for people; at most 500 bytes are sent.
    public func fail(_ reason: String) {
        reporter.end(record.index, .failed(reason: reason.clipped(toBytes: 500)))
    }

    /// Says that it did not work out because of an error.
    ///
    /// - Parameter error: The reason is its `errorDescription` as a `LocalizedError`, else its
    ///   description.
    public func fail(_ error: any Error) {
        fail(error.sentenceForPeople)
    }

    /// Says that the task was stopped on request; everything below it that has not ended is over
    /// too.
    ///
    /// - Parameter reason: Why, for people; may be empty; at most 500 bytes are sent.
    public func endCancelled(_ reason: String = "") {
        reporter.end(record.index, .cancelled(reason: reason.clipped(toBytes: 500)))
    }

    /// Removes a child without children, as if it had never begun; cancels any other task.
    package func withdraw() {
        reporter.end(record.index, .cancelled(reason: ""), isWithdrawn: true)
    }
}

extension ProgressTask: Hashable, CustomStringConvertible {
    /// Whether both are handles of one task.
    public static func == (left: ProgressTask, right: ProgressTask) -> Bool {
        left.id == right.id
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// The id as text.
    public var description: String { id.description }
}
