import BusProtocol
import TaskTree

/// Asking for snapshots.
extension TopicFollower {
    /// How long an answer may take before the same is asked again, in seconds.
    static let patience = 2.0
    /// How long before a topic that does not exist is asked for again, in seconds.
    private static let absence = 0.5

    /// Whether a request is to be sent now; `snapshotRequest` makes it.
    func wantsRequest(at now: Moment) -> Bool {
        switch phase {
        case .subscribed, .live: false
        case .backingOff(let until): until <= now
        case .pulling(let pull): pull.request == nil && !pull.isLastIn && pull.requestedAt <= now
        }
    }

    /// When `wantsRequest` or a time-out is due next.
    var nextTime: Moment? {
        switch phase {
        case .subscribed, .live: nil
        case .backingOff(let until): until
        case .pulling(let pull) where pull.request != nil:
            pull.requestedAt.advanced(bySeconds: Self.patience)
        case .pulling(let pull): pull.isLastIn ? nil : pull.requestedAt
        }
    }

    /// Makes the next request, which is under way with this number from now on.
    mutating func snapshotRequest(_ request: UInt64, at now: Moment) -> WireSnapshotRequest {
        var pull = Pull(requestedAt: now)
        if case .pulling(let current) = phase { pull = current }
        pull.request = request
        pull.requestedAt = now
        phase = .pulling(pull)
        var wire = WireSnapshotRequest()
        wire.request = request
        wire.topic = topic.name
        wire.cursorBytes = pull.cursor
        return wire
    }

    /// No answer came, or the request could not be sent: the same again after a while.
    mutating func requestFailed(_ request: UInt64, at now: Moment, retryAfter seconds: Double) {
        guard case .pulling(var pull) = phase, pull.request == request else { return }
        pull.request = nil
        pull.requestedAt = now.advanced(bySeconds: seconds)
        phase = .pulling(pull)
    }

    /// Asks for a snapshot although nothing is known to be missing; what is shown stays meanwhile.
    mutating func refresh(at now: Moment) {
        guard case .live = phase else { return }
        staged = nil
        phase = .backingOff(until: now)
    }

    /// Takes a chunk that was asked for.
    mutating func receive(
        _ chunk: WireSnapshotChunk,
        epoch: UInt64,
        at now: Moment,
        revision: inout UInt64
    ) -> Effects {
        // A board of very many hosts has hundreds of pages without an own job.
        let hadOwnJobs = held?.rows.values.contains { !$0.isElsewhere } ?? false
        var effects = Effects(changesJobs: hadOwnJobs || chunk.rows.contains(where: \.describesOwn))
        guard case .pulling(var pull) = phase, pull.request == chunk.request else {
            return effects
        }
        if isOnce {
            if position == nil { position = Position(epoch: epoch, sequence: 0) }
            isSettling = chunk.settling
        }
        guard let position, position.epoch == epoch else {
            // The chunk is of another epoch, whose beat will come.
            requestFailed(chunk.request, at: now, retryAfter: 0.1)
            return effects
        }
        lastHeard = now
        var contents = staged ?? TopicContents(topic, epoch: epoch, rowLimit: rowLimit)
        staged = nil
        contents.rowLimit = rowLimit
        contents.add(chunk, revision: &revision)
        if chunk.unheard {
            if let held { contents.fill(from: held) }
            contents.becomeSilent(revision: &revision)
        }
        staged = contents
        pull.request = nil
        pull.stamp = max(pull.stamp, chunk.sequence)
        pull.cursor = chunk.cursorBytes
        pull.requestedAt = now
        // Without a cursor there is no way on.
        pull.isLastIn = chunk.last || pull.cursor.isEmpty
        phase = .pulling(pull)
        completeIfReached(effects: &effects, revision: &revision)
        promoteIfSettled(effects: &effects, revision: &revision)
        return effects
    }

    /// The broker does not give this snapshot.
    mutating func refused(_ code: RefusalCode, at now: Moment, jitter: inout Jitter) -> Effects {
        var effects = Effects(changesJobs: true)
        guard case .pulling = phase else { return effects }
        staged = nil
        let isUnknown = code == .unknownTopic || code == .unknownTask
        isAbsent = isUnknown
        let wait = isUnknown ? Self.absence : 0.1
        phase = .backingOff(until: now.advanced(bySeconds: wait + jitter.next(upTo: wait)))
        if isUnknown, !isSettling, let former = held {
            effects.removed = former.rows.values.map { ($0, "unseen") }
            held = nil
        }
        return effects
    }
}

extension WireRow {
    /// Whether the row describes a task of this broker's own.
    var describesOwn: Bool { hasDescription_p && !description_p.elsewhere }
}
