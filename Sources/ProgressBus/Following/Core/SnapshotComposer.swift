#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import BusProtocol
import TaskTree

/// Makes the values that people see from the rows of a topic.
struct SnapshotComposer {
    private let rows: [TaskID: RowState]
    /// By parent, in the order in which they are shown.
    private let children: [TaskID: [Child]]
    /// The present by the broker's clock; `nil`: each row's own time.
    private let now: Double?
    /// Deeper than the protocol allows a tree to be; a circle of parents ends here.
    private static let depthLimit = 64

    init(rows: [TaskID: RowState], now: Double?) {
        self.rows = rows
        self.now = now
        var children: [TaskID: [Child]] = [:]
        for (task, row) in rows {
            let description = row.description
            guard description.hasParent, let parent = description.parent.taskID() else { continue }
            let place = description.hasPlace ? description.place : .max
            children[parent, default: []].append(Child(place: place, task: task))
        }
        for parent in children.keys { children[parent]?.sort() }
        self.children = children
    }

    /// By place; those without one come last, by id.
    //
    // Rows are large: only these are moved about.
    private struct Child: Comparable {
        let place: UInt32
        let task: TaskID

        static func < (left: Child, right: Child) -> Bool {
            (left.place, left.task) < (right.place, right.task)
        }
    }

    /// The task with its children, as deep as asked for; `nil` is all of them.
    func snapshot(of row: RowState, depth: Int?) -> TaskSnapshot {
        var clocks: [RowClock] = []
        return snapshot(of: row, depth: depth, clocks: &clocks)
    }

    /// The same, with the clock of each task, it before its children, these in order.
    func snapshot(of row: RowState, depth: Int?, clocks: inout [RowClock]) -> TaskSnapshot {
        let clock = RowClock(row)
        clocks.append(clock)
        var snapshot = TaskSnapshot(row, clock, now: now ?? row.time)
        let levels = min(depth ?? Self.depthLimit, Self.depthLimit)
        guard levels > 0, let below = children[row.task] else { return snapshot }
        snapshot.children.reserveCapacity(below.count)
        for child in below {
            guard let row = rows[child.task] else { continue }
            let made = self.snapshot(of: row, depth: levels - 1, clocks: &clocks)
            snapshot.children.append(made)
        }
        return snapshot
    }
}

extension TaskSnapshot {
    init(_ row: RowState, now: Double) {
        self.init(row, RowClock(row), now: now)
    }

    init(_ row: RowState, _ clock: RowClock, now: Double) {
        let description = row.description
        let progress = row.progress
        self.init(
            id: row.task,
            job: description.hasJob ? description.job.taskID() : nil,
            title: description.title
        )
        parent = description.hasParent ? description.parent.taskID() : nil
        depth = Int(description.depth)
        key = description.key
        slot = description.hasSlot ? Int(description.slot) : nil
        place = description.hasPlace && parent != nil ? Int(description.place) : nil
        cell = description.hasCell ? Int(description.cell) : nil
        detail = progress.detail
        unit = description.unit
        options = description.options
        options.totalIsEstimate = progress.totalIsEstimate
        state = TaskState(progress.state)
        isStalled = progress.stalled
        isSilent = progress.silent
        needsAttention = progress.needsAttention
        isIndeterminate = progress.indeterminate
        fraction = progress.fraction.isFinite ? progress.fraction : 0
        displayFraction = row.displayFraction
        completed = progress.completed
        total = progress.hasTotal ? progress.total : nil
        totalBefore = progress.totalBefore > 0 ? progress.totalBefore : nil
        share = description.hasShare ? description.share : nil
        attempt = Int(description.attempt)
        earlierAttempts = Int(description.earlierAttempts)
        rate = progress.hasRate ? progress.rate.orNilUnlessUsable : nil
        secondsLeft = progress.hasSecondsLeft ? progress.secondsLeft.orNilUnlessUsable : nil
        elapsed = clock.elapsed(at: now)
        active = clock.active(at: now)
        secondsSinceAdvance = clock.secondsSinceAdvance(at: now)
        startedAt = clock.begun.map { Date(timeIntervalSince1970: $0) }
        endedAt = clock.ended.map { Date(timeIntervalSince1970: $0) }
        reason = progress.reason.orNilIfEmpty
        exit = Exit(progress)
        process = description.hasProcess ? Process(description.process) : nil
        counts = StateCounts(progress.counts)
        sums = progress.sums.map(UnitSum.init)
        attentionBelow = Int(clamping: progress.attention)
        note = progress.note
        isOrphan = description.orphan
        childrenLeftOut = Int(clamping: progress.childrenLeftOut)
    }
}

extension StateCounts {
    init(_ counts: WireCounts) {
        self.init()
        waiting = Int(clamping: counts.waiting)
        running = Int(clamping: counts.running)
        succeeded = Int(clamping: counts.succeeded)
        failed = Int(clamping: counts.failed)
        cancelled = Int(clamping: counts.cancelled)
        lost = Int(clamping: counts.lost)
    }
}

extension TaskSnapshot.Process {
    init(_ process: WireProcess) {
        self.init(host: process.host, pid: Int(process.pid), command: process.command)
    }
}

extension TaskSnapshot.Exit {
    fileprivate init?(_ progress: WireRowProgress) {
        if progress.hasExitSignal {
            self = .signal(Int(progress.exitSignal))
        } else if progress.hasExitStatus {
            self = .status(Int(progress.exitStatus))
        } else {
            return nil
        }
    }
}

extension UnitSum {
    fileprivate init(_ sum: WireUnitSum) {
        self.init(unit: sum.unit, completed: sum.completed, total: sum.total)
    }
}

extension TaskMessage {
    init(_ entry: TopicContents.LogEntry, job: TaskID) {
        self.init(
            task: entry.task,
            job: job,
            text: entry.text,
            time: Date(timeIntervalSince1970: entry.time)
        )
    }
}

extension Double {
    /// Zero stands for "not yet" on the wire; what is not a date of people's is nothing.
    var orNilUnlessPositive: Double? { self > 0 && self < 1e12 ? self : nil }
    var orNilUnlessUsable: Double? { isFinite && self >= 0 ? self : nil }
}

extension String {
    fileprivate var orNilIfEmpty: String? { isEmpty ? nil : self }
}
