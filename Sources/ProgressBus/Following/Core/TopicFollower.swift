import BusProtocol
import TaskTree

/// Follows one topic: a pulled snapshot, then sequenced updates; without clock or socket.
///
/// ```
/// subscribed ──beat──▶ pulling ──last chunk, and updates up to its stamp──▶ live
///                       ▲   │ gap, refusal                                   │ gap, new epoch
///                       └─backing off ◀──────────────────────────────────────┘
/// ```
/// The held picture stays while a new one is pulled, and, after a restart of the broker, until
/// the new one is complete and the broker has settled.
struct TopicFollower: Sendable {
    /// Rows that all topics of a follower may hold together; one topic may have all of them.
    static let rowLimit = 250_000

    /// Where the follower stands.
    enum Phase: Sendable {
        /// Waits for the first frame that says which sequence the topic has reached.
        case subscribed
        /// Waits before it asks for a snapshot, so that not all ask at once.
        case backingOff(until: Moment)
        /// Asks for a snapshot chunk by chunk and keeps what is published meanwhile.
        case pulling(Pull)
        /// Applies updates as they come.
        case live
    }

    /// What a frame has changed, for the follower's machine.
    struct Effects: Sendable {
        var removed: [(row: TopicContents.Row, reason: String)] = []
        var messages: [TaskMessage] = []
        /// The broker has published something before its tick.
        var isEarly = false
        /// The broker's own tasks or their slots may have changed, also in a staged picture.
        var changesJobs = false
        /// The parts that other brokers do have changed.
        var changesParts = false
    }

    let topic: Topic
    /// Whether a snapshot is all that is wanted, and no updates are followed.
    let isOnce: Bool
    var phase: Phase
    /// The picture that is shown.
    var held: TopicContents?
    /// The picture that is to replace it.
    var staged: TopicContents?
    /// The sequence that the updates have reached, without a gap since the phase began.
    var position: Position?
    /// When the topic was last updated, or subscribed to.
    var lastHeard: Moment
    /// Whether the broker still gathers its tasks after a start.
    var isSettling = false
    /// Whether the broker said that there is no such topic.
    var isAbsent = false
    /// Gaps since the topic was last live.
    var gaps = 0
    /// How many rows the picture may hold.
    var rowLimit = TopicFollower.rowLimit
    /// The newest change of the held picture.
    var revision: UInt64 = 0
    /// Sequences of the newest updates, to tell a repeated one from a gap.
    private var recent: [Position.Step] = []

    /// Steps remembered.
    private static let recentLimit = 32
    /// Updates and rows kept while a snapshot is pulled; beyond that it is pulled anew.
    static let bufferLimit = (updates: 4_096, rows: 200_000)

    /// A point in the life of a topic.
    struct Position: Sendable {
        var epoch: UInt64
        var sequence: UInt64

        struct Step: Hashable, Sendable {
            var previous: UInt64
            var sequence: UInt64
        }
    }

    /// A snapshot on its way.
    struct Pull: Sendable {
        /// The request that has no answer yet.
        var request: UInt64?
        var requestedAt: Moment
        /// Where the next request goes on.
        var cursor: [UInt8] = []
        /// The highest sequence that any chunk was made at.
        var stamp: UInt64 = 0
        var isLastIn = false
        var buffer: [WireUpdate] = []
        var bufferedRows = 0
    }

    init(_ topic: Topic, isOnce: Bool, at now: Moment) {
        self.topic = topic
        self.isOnce = isOnce
        self.lastHeard = now
        self.phase = isOnce ? .pulling(Pull(requestedAt: now)) : .subscribed
    }

    /// Whether the held picture is complete in this epoch, or there is no such topic.
    func isComplete(in epoch: UInt64) -> Bool {
        held?.epoch == epoch || (isAbsent && !isSettling)
    }

    // MARK: - Updates

    /// Takes an update or a beat.
    mutating func receive(
        _ update: WireUpdate,
        at now: Moment,
        jitter: inout Jitter,
        revision: inout UInt64
    ) -> Effects {
        let wasFollowing = isFollowing
        var effects = take(update, at: now, jitter: &jitter, revision: &revision)
        if !wasFollowing || !isFollowing { effects.changesJobs = true }
        return effects
    }

    /// The rows of the held or the staged picture, whichever has more.
    var rowCount: Int { max(held?.rows.count ?? 0, staged?.rows.count ?? 0) }

    /// Whether updates change the held picture, and no other is staged.
    private var isFollowing: Bool {
        if case .live = phase { staged == nil } else { false }
    }

    private mutating func take(
        _ update: WireUpdate,
        at now: Moment,
        jitter: inout Jitter,
        revision: inout UInt64
    ) -> Effects {
        var effects = Effects()
        lastHeard = now
        isSettling = update.settling
        isAbsent = false
        let step = Position.Step(previous: update.previous, sequence: update.sequence)
        guard let position, position.epoch == update.epoch else {
            beginEpoch(update.epoch, sequence: update.sequence, at: now, jitter: &jitter)
            return effects
        }
        if step.previous == step.sequence {
            if step.sequence != position.sequence {
                miss(upTo: step.sequence, at: now, jitter: &jitter)
            }
        } else if step.previous == position.sequence {
            self.position?.sequence = step.sequence
            remember(step)
            if !follow(update, effects: &effects, revision: &revision) {
                miss(upTo: step.sequence, at: now, jitter: &jitter)
            }
        } else if !recent.contains(step) {
            miss(upTo: step.sequence, at: now, jitter: &jitter)
        }
        completeIfReached(effects: &effects, revision: &revision)
        promoteIfSettled(effects: &effects, revision: &revision)
        if update.unheard {
            held?.becomeSilent(revision: &revision)
            self.revision = revision
        }
        return effects
    }

    /// Starts over in another epoch; the held picture stays until a new one replaces it.
    mutating func beginEpoch(
        _ epoch: UInt64,
        sequence: UInt64,
        at now: Moment,
        jitter: inout Jitter
    ) {
        position = Position(epoch: epoch, sequence: sequence)
        recent = []
        staged = nil
        gaps = 0
        phase =
            held == nil
            ? .pulling(Pull(requestedAt: now))
            : .backingOff(until: now.advanced(bySeconds: jitter.next(upTo: 0.1)))
    }

    /// The epoch has ended; waits for the first frame of another.
    mutating func endEpoch(at now: Moment) {
        position = nil
        staged = nil
        recent = []
        phase = isOnce ? .pulling(Pull(requestedAt: now)) : .subscribed
        lastHeard = now
    }

    /// Something was missed: pulls anew soon, and later after every further gap.
    mutating func miss(upTo sequence: UInt64, at now: Moment, jitter: inout Jitter) {
        position?.sequence = sequence
        staged = nil
        if case .backingOff = phase { return }
        gaps = min(gaps + 1, 6)
        let most = 0.05 * Double(1 << gaps)
        phase = .backingOff(until: now.advanced(bySeconds: 0.02 + jitter.next(upTo: most)))
    }

    /// Applies an update that follows on the last one, or buffers it; false if it cannot be
    /// applied.
    private mutating func follow(
        _ update: WireUpdate,
        effects: inout Effects,
        revision: inout UInt64
    ) -> Bool {
        switch phase {
        case .subscribed, .backingOff:
            return true
        case .pulling(var pull):
            pull.buffer.append(update)
            // The entries of its other lists are bounded as rows are.
            pull.bufferedRows += update.rows.count + update.removed.count + update.logs.count
            pull.bufferedRows += update.attention.count + update.hosts.hosts.count
            phase = .pulling(pull)
            return pull.buffer.count <= Self.bufferLimit.updates
                && pull.bufferedRows <= Self.bufferLimit.rows
        case .live:
            if staged != nil {
                var unseen = Effects()
                return staged?.apply(update, effects: &unseen, revision: &revision) ?? false
            }
            defer { self.revision = revision }
            return held?.apply(update, effects: &effects, revision: &revision) ?? false
        }
    }

    private mutating func remember(_ step: Position.Step) {
        if recent.count >= Self.recentLimit { recent.removeFirst() }
        recent.append(step)
    }
}

extension TopicContents {
    /// Applies an update; false: something was missed.
    fileprivate mutating func apply(
        _ update: WireUpdate,
        effects: inout TopicFollower.Effects,
        revision: inout UInt64
    ) -> Bool {
        var isComplete = true
        revision += 1
        if !update.removed.isEmpty || update.rows.contains(where: \.describesOwn) {
            effects.changesJobs = true
        }
        for removed in update.removed {
            guard let task = removed.task.taskID(),
                let row = remove(task, sequence: update.sequence, revision: revision)
            else { continue }
            effects.removed.append((row, removed.reason))
        }
        let formerParts = parts
        for row in update.rows {
            let (sequence, time) = (update.sequence, update.time)
            let effect = apply(row, sequence: sequence, time: time, revision: &revision)
            if effect == .incomplete { isComplete = false }
            if effect == .turned { effects.isEarly = true }
        }
        if parts != formerParts { effects.changesParts = true }
        effects.messages += applyColumns(of: update, revision: revision)
        return isComplete
    }
}

extension TopicFollower {
    /// Completes the pulled picture once the last chunk is in and the updates have reached its
    /// stamp; applies the updates buffered meanwhile.
    mutating func completeIfReached(effects: inout Effects, revision: inout UInt64) {
        guard case .pulling(let pull) = phase, pull.isLastIn, var contents = staged,
            let position, isOnce || position.sequence >= pull.stamp
        else { return }
        staged = nil
        var isComplete = true
        var unseen = Effects()
        for update in pull.buffer {
            isComplete =
                contents.apply(update, effects: &unseen, revision: &revision) && isComplete
        }
        guard isComplete else {
            // A row moved past the cursor: the next snapshot has it.
            phase = .pulling(Pull(requestedAt: lastHeard))
            return
        }
        // Of the buffered removals, which have reasons, those of tasks in the held picture count.
        let gone = unseen.removed.filter { held?.rows[$0.row.task.id] != nil }
        effects.removed += gone
        staged = contents
        phase = .live
        gaps = 0
    }

    /// Shows the new picture in place of the former one.
    mutating func promoteIfSettled(effects: inout Effects, revision: inout UInt64) {
        guard case .live = phase, var contents = staged else { return }
        if let held, isSettling, held.epoch != contents.epoch { return }
        revision += 1
        self.revision = revision
        if contents.parts != held?.parts ?? [:] { effects.changesParts = true }
        if let held {
            contents.keep(held, revision: revision)
            let told = Set(effects.removed.map(\.row.task.id))
            for (task, row) in held.rows where contents.rows[task] == nil && !told.contains(task) {
                effects.removed.append((row, "unseen"))
            }
            let known = Set(held.logs)
            effects.messages += contents.logs.filter { !known.contains($0) }
        } else {
            effects.messages += contents.logs
        }
        held = contents
        staged = nil
    }
}
