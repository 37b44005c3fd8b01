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
        /// `isJudgedLater` it is remembered only.
        case left(reason: String, isJudgedLater: Bool)
    }

    let step: Step
    var remaining: ArraySlice<TaskID>
}

extension SessionDirectory {
    /// The next tasks that something is to be done to; with the last ones there is no sweep any more.
    mutating func takePortion(
        _ count: Int,
        of id: SessionID
    ) -> (step: SessionSweep.Step, reporters: ArraySlice<TaskID>)? {
        guard let sweep = sweeps[id] else { return nil }
        let portion = sweep.remaining.prefix(count)
        sweeps[id]?.remaining = sweep.remaining.dropFirst(portion.count)
        if portion.count == sweep.remaining.count { sweeps[id] = nil }
        return (sweep.step, portion)
    }
}
