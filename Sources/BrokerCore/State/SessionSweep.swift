import TaskTree

/// What is being done to all tasks of a session.
struct SessionSweep {
    enum Step {
        /// Nothing is heard of it.
        case silent
        /// It was silent and is not any more.
        case heard
        /// It was lost and is not any more.
        case back
        /// It is gone: what it did not end is lost, and remembered as it was. Where it
        /// `isJudgedLater` it is remembered only. Where it `isUnheard` all that is known of it is what
        /// the journal has, as its process has gone with the broker before.
        case left(reason: String, isJudgedLater: Bool, isUnheard: Bool)
        /// A keyframe, whose last frame had this sequence, does not have them.
        case withdrawn(sequence: UInt64)

        /// What it does to one task takes as long as so many looks: a last row is written down.
        var looks: Int { if case .left = self { 4 } else { 1 } }

        var isWithdrawal: Bool { if case .withdrawn = self { true } else { false } }
    }

    let step: Step
    var remaining: ArraySlice<TaskID>
}

extension SessionDirectory {
    /// Replaces what was under way for a session.
    ///
    /// What a keyframe does not have is withdrawn whatever else happens, and before it, unless there
    /// is a newer keyframe.
    mutating func begin(_ sweep: SessionSweep, of id: SessionID) {
        let others = sweeps[id, default: []].filter {
            $0.step.isWithdrawal != sweep.step.isWithdrawal
        }
        sweeps[id] = sweep.step.isWithdrawal ? [sweep] + others : others + [sweep]
    }

    /// The next tasks that something is to be done to, for so many looks; with the last ones there is no
    /// sweep any more.
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
