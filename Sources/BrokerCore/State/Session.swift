import BusProtocol
import TaskTree

/// What the broker knows of one session, live or not.
struct Session {
    /// Where a session is in its life; the diagram is in PROTOCOL.md.
    enum Phase: Equatable {
        /// Known from the journal as alive when the former broker died; its hello is awaited.
        case awaited
        /// Has said hello and not goodbye.
        case live
        /// Has said goodbye; its last reports, up to this sequence, are awaited.
        case closing(sequence: UInt64)
        /// Gone without goodbye. Any frame of it makes it live again.
        case lost
        /// Gone with goodbye. What it has left unfinished is judged when its process ends, if that
        /// is watched.
        case ended
    }

    let id: SessionID
    let credential: SessionCredential
    var hello: WireHello
    var phase: Phase
    /// The connection it was last heard on; answers go there.
    private(set) var route: Route?
    /// How the session reached the broker.
    var way = Admissions.Way()
    var lastHeard: Moment
    /// By how many seconds its clock is ahead of the broker's; 0 where both have the same.
    var clockAhead = 0.0
    var isSilent = false
    /// Whether its process was found stopped, as by SIGSTOP, since it became silent.
    var isStopped = false
    /// What the session has left unfinished, as found out in the silence after the frame of
    /// `since`.
    var silence: (since: Moment, leaves: Remainder)?
    /// The highest sequence of its reports that arrived.
    var reported: UInt64 = 0
    var keyframe: KeyframeProgress?
    /// Whether a whole keyframe has arrived since its last hello.
    var hasDeliveredKeyframe = false
    /// How often the session was asked for a keyframe in vain; each time doubles the time it has.
    var keyframesMissed = 0
    /// Whether its welcome has been sent: before that, the session does not know the broker's
    /// epoch.
    var isWelcomed = false
    var waitingSyncs: [(request: UInt64, sequence: UInt64)] = []
    /// Indices of tasks that have left the tree: further statements about them change nothing.
    var removed = IndexRanges()
    /// The session's process, if the broker will be told when it ends.
    var process: WatchedProcess?
    /// Whether the session's process has ended; frames of it may still arrive.
    var hasProcessEnded = false

    var isViewer: Bool { hello.viewer }

    /// The properties that the broker needs for nearly every frame of a session.
    struct Standing {
        let phase: Phase
        let isViewer: Bool
        let member: String?
        let removed: IndexRanges
        let clockAhead: Double
        /// Whether a sync waits for reports that have all arrived.
        let isSyncReached: Bool
    }

    var standing: Standing {
        Standing(
            phase: phase,
            isViewer: isViewer,
            member: way.member,
            removed: removed,
            clockAhead: clockAhead,
            isSyncReached: waitingSyncs.contains { $0.sequence <= reported }
        )
    }

    /// What a silent session has left unfinished.
    enum Remainder {
        /// No unfinished task.
        case nothing
        /// Only paused tasks: the session has announced its silence.
        case paused
        /// A task that is not paused, or any unfinished task of a session that is not live.
        case work
    }

    /// Sets where answers go; only for `SessionDirectory.move`, which keeps the sessions by route.
    mutating func answer(at route: Route?) { self.route = route }

    /// Notes that a frame of the session has arrived; returns whether it was silent or lost before.
    mutating func recordActivity(at now: Moment) -> (isSilent: Bool, isLost: Bool) {
        let former = (isSilent, phase == .lost)
        // A frame may have waited a moment while a later one came another way.
        lastHeard = max(lastHeard, now)
        if phase == .lost { phase = .live }
        isSilent = false
        isStopped = false
        return former
    }

    /// Counts a chunk of a keyframe; returns whether this chunk shows that an earlier one is
    /// missing.
    mutating func isMissingChunk(_ report: WireReport) -> Bool {
        if report.keyframe != keyframe?.number || report.keyframeChunk == 0 {
            keyframe = KeyframeProgress(number: report.keyframe)
        }
        return keyframe?.isMissing(report.keyframeChunk) ?? false
    }

    /// Whether its tasks may be shown as running.
    var isPresent: Bool {
        switch phase {
        case .awaited, .live, .closing: true
        case .lost, .ended: false
        }
    }
}

/// How much of a keyframe has arrived: chunks count only in order and without a gap.
struct KeyframeProgress {
    let number: UInt32
    private var nextChunk: UInt32 = 0
    /// Whether a chunk is missing: further chunks do not complete the keyframe then.
    private var isBroken = false
    var mentioned: Set<UInt64> = []

    init(number: UInt32) {
        self.number = number
    }

    /// Whether `number` is that of this keyframe, which has no gap so far.
    func isWhole(_ number: UInt32) -> Bool { number == self.number && !isBroken }

    /// Counts a chunk; returns whether it is the first one behind a gap.
    mutating func isMissing(_ chunk: UInt32) -> Bool {
        guard !isBroken else { return false }
        isBroken = chunk != nextChunk
        if isBroken { mentioned = [] } else { nextChunk += 1 }
        return isBroken
    }
}

extension Dictionary {
    /// Reads or changes a value in place; returns nil if there is none.
    ///
    /// `self[key]?` moves the whole value out and back, which for a session costs more than all
    /// else that a heartbeat needs.
    @discardableResult
    mutating func inPlace<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let index = index(forKey: key) else { return nil }
        return body(&values[index])
    }
}
