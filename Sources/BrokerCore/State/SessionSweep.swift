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
        /// Its keyframe has `mentioned` these indices and no other: what it has said of others before this
        /// `version`, and has not ended, is forgotten.
        case stated(mentioned: Set<UInt64>, version: UInt64)
    }

    /// Of these one at a time is done to a session: the last one counts.
    enum Kind: Int {
        case silence, presence, statement
    }

    struct Key: Hashable, Comparable {
        let session: SessionID
        let kind: Kind

        static func < (left: Key, right: Key) -> Bool {
            (left.session, left.kind.rawValue) < (right.session, right.kind.rawValue)
        }
    }

    var step: Step
    /// The way through its tasks, by the tree's number.
    let walk: Int
}

extension SessionSweep.Step {
    var kind: SessionSweep.Kind {
        switch self {
        case .silent, .heard: .silence
        case .back, .left: .presence
        case .stated: .statement
        }
    }
}

extension SessionDirectory {
    /// A keyframe that is complete says nothing of a task that has begun behind it.
    mutating func spare(_ reporter: TaskID) {
        let key = SessionSweep.Key(session: reporter.session, kind: .statement)
        guard case .stated(var mentioned, let version)? = sweeps[key]?.step else { return }
        sweeps[key]?.step = .silent
        mentioned.insert(reporter.index)
        sweeps[key]?.step = .stated(mentioned: mentioned, version: version)
    }
}
