import BusProtocol
import Essentials
import TaskTree

extension TaskSnapshot {
    /// A snapshot of a complete row, as the first row of a task always is; `nil` from any other.
    init?(_ row: WireRow, id: TaskID, at time: Double) {
        guard row.hasDescription_p, row.hasProgress else { return nil }
        self.init(id: id, title: "")
        take(row, at: time)
    }

    /// Takes over the fields that a row has; the others stay.
    ///
    /// Durations are as at `time` by the broker's clock, in Unix seconds.
    mutating func take(_ row: WireRow, at time: Double) {
        let (formerAttempt, reported, shown) = (attempt, fraction, displayFraction)
        if row.hasDescription_p { take(row.description_p) }
        if row.hasProgress { take(row.progress, at: time) }
        guard attempt == formerAttempt else { return }
        // If the reported fraction falls, as when the total grows, the fraction shown may fall as
        // far, once.
        show(atLeast: fraction < reported ? min(shown, fraction) : shown)
    }

    /// Sets the fraction shown: not below `floor`, and below 1 until success.
    mutating func show(atLeast floor: Double) {
        displayFraction = state == .succeeded ? 1 : min(max(displayFraction, floor, 0), 0.99)
    }

    /// Whether brokers publish the state before their tick: failures, cancellations, pauses, ends
    /// of jobs.
    var isUrgent: Bool {
        switch state {
        case .failed, .cancelled, .lost, .paused: true
        case .succeeded: parent == nil
        case .waiting, .running, .cancelling: false
        }
    }

    private mutating func take(_ description: WireRowDescription) {
        job = description.hasJob ? description.job.taskID() ?? id : id
        parent = description.hasParent ? description.parent.taskID() : nil
        depth = Int(description.depth)
        key = description.key
        slot = description.hasSlot ? Int(description.slot) : nil
        place = description.hasPlace && parent != nil ? Int(description.place) : nil
        cell = description.hasCell ? Int(description.cell) : nil
        title = description.title
        unit = description.unit
        let totalIsEstimate = options.totalIsEstimate
        options = description.options
        options.totalIsEstimate = totalIsEstimate
        share = description.hasShare ? description.share : nil
        attempt = Int(description.attempt)
        earlierAttempts = Int(description.earlierAttempts)
        process = description.hasProcess ? Process(description.process) : nil
        isOrphan = description.orphan
    }

    private mutating func take(_ progress: WireRowProgress, at time: Double) {
        detail = progress.detail
        options.totalIsEstimate = progress.totalIsEstimate
        state = TaskState(progress.state)
        isStalled = progress.stalled
        isSilent = progress.silent
        needsAttention = progress.needsAttention
        isIndeterminate = progress.indeterminate
        fraction = progress.fraction.isFinite ? progress.fraction : 0
        displayFraction = progress.displayFraction.isFinite ? progress.displayFraction : 0
        show(atLeast: 0)
        completed = progress.completed
        total = progress.hasTotal ? progress.total : nil
        totalBefore = progress.totalBefore > 0 ? progress.totalBefore : nil
        rate = progress.hasRate ? progress.rate.orNilUnlessUsable : nil
        secondsLeft = progress.hasSecondsLeft ? progress.secondsLeft.orNilUnlessUsable : nil
        reason = progress.reason.isEmpty ? nil : progress.reason
        exit = Exit(progress)
        counts = StateCounts(progress.counts)
        sums = progress.sums.map(\.unitSum)
        attentionBelow = Int(clamping: progress.attention)
        note = progress.note
        childrenLeftOut = Int(clamping: progress.childrenLeftOut)
        let begun = progress.begun.orNilUnlessPositive
        let ended = progress.hasEnded ? progress.ended.orNilUnlessPositive : nil
        startedAt = begun.map { Date(timeIntervalSince1970: $0) }
        endedAt = ended.map { Date(timeIntervalSince1970: $0) }
        let end = state.isEnded ? ended ?? time : time
        elapsed = begun.map { end - $0 }
        secondsSinceAdvance = (progress.advanced.orNilUnlessPositive ?? begun).map { end - $0 }
        active = begun == nil ? nil : progress.active.orNilUnlessUsable
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
    init?(_ line: WireLogLine, job: TaskID) {
        guard let task = line.task.taskID() else { return nil }
        let time = Date(timeIntervalSince1970: line.time.isFinite ? line.time : 0)
        self.init(task: task, job: job, text: line.text, time: time)
    }
}

extension Double {
    /// Zero stands for "not yet" on the wire; what cannot be a date is nothing too.
    var orNilUnlessPositive: Double? { self > 0 && self < 1e12 ? self : nil }
    var orNilUnlessUsable: Double? { isFinite && self >= 0 ? self : nil }
}
