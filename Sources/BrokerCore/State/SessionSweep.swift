import TaskTree

/// A change that the broker makes to many tasks of one session, some in each tick.
struct SessionSweep {
    enum Step {
        /// The session is silent.
        case silent
        /// The session was silent and is not any more.
        case heard
        /// The session was lost and is back.
        case back
        /// The session is gone: its unfinished tasks are lost, and the journal keeps their last
        /// rows.
        ///
        /// If `isJudgedLater`, the journal keeps the rows and no task is lost yet. If `isUnheard`,
        /// the session is known from the journal and its keyframe has not arrived.
        case left(reason: String, isJudgedLater: Bool, isUnheard: Bool)
        /// A keyframe, whose last frame had this sequence, does not list the tasks.
        case withdrawn(sequence: UInt64)

        /// The time that the change of one task takes, in looks; `left` also writes a last row.
        var looks: Int { if case .left = self { 4 } else { 1 } }

        var isWithdrawal: Bool { if case .withdrawn = self { true } else { false } }
    }

    let step: Step
    var remaining: ArraySlice<TaskID>
}

extension SessionDirectory {
    /// Begins a sweep of a session in place of the one that it replaces.
    ///
    /// A withdrawal replaces only an earlier withdrawal, and any other sweep only another such. The
    /// withdrawal is carried out first.
    mutating func begin(_ sweep: SessionSweep, of id: SessionID) {
        let others = sweeps[id, default: []].filter {
            $0.step.isWithdrawal != sweep.step.isWithdrawal
        }
        sweeps[id] = sweep.step.isWithdrawal ? [sweep] + others : others + [sweep]
    }

    /// Takes the next tasks of a session's first sweep, as many as take about `count` looks; the
    /// last portion ends the sweep.
    mutating func takePortion(
        _ count: Int,
        of id: SessionID
    ) -> (step: SessionSweep.Step, reporters: ArraySlice<TaskID>)? {
        guard let sweep = sweeps[id]?.first else { return nil }
        let looks = sweep.step.looks
        let portion = sweep.remaining.prefix((count + looks - 1) / looks)
        sweepRoom -= portion.count * looks
        sweeps[id]?[0].remaining = sweep.remaining.dropFirst(portion.count)
        if portion.count == sweep.remaining.count { sweeps[id]?.removeFirst() }
        if sweeps[id]?.isEmpty == true { sweeps[id] = nil }
        return (sweep.step, portion)
    }
}
