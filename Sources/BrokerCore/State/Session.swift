import BusProtocol
import TaskTree

/// What the broker knows of one connected client, live or not.
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
    /// How it has come.
    var way = Admissions.Way()
    var lastHeard: Moment
    /// By how many seconds its clock is ahead of the broker's; 0 where both have the same.
    var clockAhead = 0.0
    var isSilent = false
    /// Whether its process was found stopped, as by SIGSTOP, since it became silent.
    var isStopped = false
    /// What its silence leaves behind, and the word after which that was found out.
    var silence: (since: Moment, leaves: Remainder)?
    /// The highest sequence of its reports that arrived.
    var reported: UInt64 = 0
    var keyframe: KeyframeProgress?
    /// Whether a whole keyframe has arrived since its last hello.
    var hasDeliveredKeyframe = false
    /// How often it was asked for one in vain: each time it has twice as long.
    var keyframesMissed = 0
    /// Whether its welcome is out: what is said before it belongs to no epoch it knows.
    var isWelcomed = false
    var waitingSyncs: [(request: UInt64, sequence: UInt64)] = []
    /// Indices whose tasks have left the tree: what is still said of them is history.
    var removed = IndexRanges()
    /// Its process, where its end will be told.
    var process: WatchedProcess?
    /// Whether its process has ended, whatever still arrives of it.
    var hasProcessEnded = false

    var isViewer: Bool { hello.viewer }

    /// What nearly every frame of it asks for.
    struct Standing {
        let phase: Phase
        let isViewer: Bool
        let member: String?
        let removed: IndexRanges
        let clockAhead: Double
        /// Whether somebody waits for reports of it that have arrived.
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

    /// What a session that says nothing has left.
    enum Remainder {
        /// Nothing that has not ended.
        case nothing
        /// Tasks that are all paused: it has said that it will say nothing.
        case paused
        /// Something that runs.
        case work
    }

    /// Only for `SessionDirectory.move`, which knows who is at which connection.
    mutating func answer(at route: Route?) { self.route = route }

    /// Takes note of a frame of it; returns whether it was silent or lost before.
    mutating func recordActivity(at now: Moment) -> (isSilent: Bool, isLost: Bool) {
        let former = (isSilent, phase == .lost)
        // A word may have waited a moment while a later one came another way.
        lastHeard = max(lastHeard, now)
        if phase == .lost { phase = .live }
        isSilent = false
        isStopped = false
        return former
    }

    /// Follows a keyframe; whether one of its chunks turns out to be missing now.
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
    /// What is still on its way of it says nothing about the whole.
    private var isBroken = false
    var mentioned: Set<UInt64> = []

    init(number: UInt32) {
        self.number = number
    }

    /// Whether this is that keyframe, without a gap so far.
    func isWhole(_ number: UInt32) -> Bool { number == self.number && !isBroken }

    /// Counts a chunk; whether it is the first one behind a gap.
    mutating func isMissing(_ chunk: UInt32) -> Bool {
        guard !isBroken else { return false }
        isBroken = chunk != nextChunk
        if isBroken { mentioned = [] } else { nextChunk += 1 }
        return isBroken
    }
}

extension Dictionary {
    /// Looks at a value, or changes it, where it lies; nil where there is none.
    ///
    /// `self[key]?` moves the whole value out and back, which for a session costs more than all else
    /// that a heartbeat needs.
    @discardableResult
    mutating func inPlace<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let index = index(forKey: key) else { return nil }
        return body(&values[index])
    }
}
