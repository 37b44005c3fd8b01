#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import DashboardCore
package import ProgressBus
package import TaskTree

extension TaskRow {
    /// What a follower has said of a task, without its children.
    ///
    /// - Parameters:
    ///   - snapshot: The task.
    ///   - madeAt: When the follower gave it: what its durations count from.
    package init(_ snapshot: TaskSnapshot, madeAt: Moment) {
        self.init(id: snapshot.id, job: snapshot.job, title: snapshot.title)
        self.madeAt = madeAt
        takePlace(from: snapshot)
        takeState(from: snapshot)
        takeAmounts(from: snapshot)
        rate = snapshot.rate
        secondsLeft = snapshot.secondsLeft
        elapsed = snapshot.elapsed
        secondsSinceAdvance = snapshot.secondsSinceAdvance
        startedAt = snapshot.startedAt?.timeIntervalSince1970
        endedAt = snapshot.endedAt?.timeIntervalSince1970
        isCancellable = snapshot.isCancellable
        isPausable = snapshot.isPausable
        consequence = snapshot.consequence
        process = snapshot.process.map {
            Process(host: $0.host, pid: $0.pid, command: $0.command)
        }
    }

    private mutating func takePlace(from snapshot: TaskSnapshot) {
        parent = snapshot.parent
        depth = snapshot.depth
        key = snapshot.key
        slot = snapshot.slot
        place = snapshot.place
        cell = snapshot.cell
        detail = snapshot.detail
        unit = snapshot.unit
        style = snapshot.style
        isBackground = snapshot.isBackground
        tint = snapshot.tint
        isOrphan = snapshot.isOrphan
    }

    private mutating func takeState(from snapshot: TaskSnapshot) {
        state = TaskState(snapshot.state)
        isStalled = snapshot.isStalled
        isSilent = snapshot.isSilent
        needsAttention = snapshot.needsAttention
        attentionBelow = snapshot.attentionBelow
        attempt = snapshot.attempt
        earlierAttempts = snapshot.earlierAttempts
        reason = snapshot.reason
        exit = snapshot.exit.map {
            switch $0 {
            case .status(let status): .status(status)
            case .signal(let signal): .signal(signal)
            }
        }
        note = snapshot.note
    }

    private mutating func takeAmounts(from snapshot: TaskSnapshot) {
        isIndeterminate = snapshot.isIndeterminate
        fraction = snapshot.fraction
        displayFraction = snapshot.displayFraction
        completed = snapshot.completed
        total = snapshot.total
        totalIsEstimate = snapshot.totalIsEstimate
        totalBefore = snapshot.totalBefore
        expectedChildren = snapshot.expectedChildren
        share = snapshot.share
        counts = StateCounts(snapshot.counts)
        sums = snapshot.sums.map {
            UnitSum(unit: $0.unit, completed: $0.completed, total: $0.total)
        }
        childrenLeftOut = snapshot.childrenLeftOut
    }
}

extension TaskState {
    package init(_ state: TaskSnapshot.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .paused: .paused
            case .cancelling: .cancelling
            case .succeeded: .succeeded
            case .failed: .failed
            case .cancelled: .cancelled
            case .lost: .lost
            }
    }
}

extension StateCounts {
    package init(_ counts: TaskSnapshot.Counts) {
        self.init()
        waiting = counts.waiting
        running = counts.running
        succeeded = counts.succeeded
        failed = counts.failed
        cancelled = counts.cancelled
        lost = counts.lost
    }
}
