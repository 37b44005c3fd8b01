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
    /// Deeper than the protocol allows a tree to be.
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
        snapshot(of: row, below: row.task, levels: min(depth ?? Self.depthLimit, Self.depthLimit))
    }

    private func snapshot(of row: RowState, below top: TaskID, levels: Int) -> TaskSnapshot {
        var snapshot = TaskSnapshot(row, now: now ?? row.time)
        guard levels > 0, let below = children[row.task] else { return snapshot }
        snapshot.children.reserveCapacity(below.count)
        // A circle of parents that is below the top goes through it, and ends here.
        for child in below where child.task != top {
            guard let row = rows[child.task] else { continue }
            snapshot.children.append(self.snapshot(of: row, below: top, levels: levels - 1))
        }
        return snapshot
    }
}

extension TaskSnapshot {
    /// The task alone, with durations as at a moment of the broker's clock, in Unix seconds.
    init(_ row: RowState, now: Double) {
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
        setTimes(progress, saidAt: row.time, now: now)
        reason = progress.reason.orNilIfEmpty
        exit = Exit(progress)
        process = description.hasProcess ? Process(description.process) : nil
        counts = StateCounts(progress.counts)
        sums = progress.sums.map(\.unitSum)
        attentionBelow = Int(clamping: progress.attention)
        note = progress.note
        isOrphan = description.orphan
        childrenLeftOut = Int(clamping: progress.childrenLeftOut)
    }
}

extension TaskSnapshot {
    /// All are by the broker's clock, but begin and end as their owner says: no duration is below 0.
    private mutating func setTimes(_ progress: WireRowProgress, saidAt time: Double, now: Double) {
        let begun = progress.begun.orNilUnlessPositive
        let ended = progress.hasEnded ? progress.ended.orNilUnlessPositive : nil
        // What has ended does not grow older.
        let end = state.isEnded ? (ended ?? time) : now
        elapsed = begun.map { max(end - $0, 0) }
        secondsSinceAdvance =
            (progress.advanced.orNilUnlessPositive ?? begun).map { max(end - $0, 0) }
        if begun != nil {
            let goesOn = state == .running || state == .cancelling
            active = (progress.active + (goesOn ? max(now - time, 0) : 0)).orNilUnlessUsable
        }
        startedAt = begun.map { Date(timeIntervalSince1970: $0) }
        endedAt = ended.map { Date(timeIntervalSince1970: $0) }
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
