import BusProtocol
import TaskTree

/// Tasks of sessions here that are parts of other brokers' jobs, and how far these brokers, their owners,
/// have been told.
///
/// Bounds: `CoreConfiguration.fleetParts`; what is beyond is a job of its own here.
struct FleetParts {
    /// A task that hangs under one of which nothing is known here, or has redeemed it.
    struct Part {
        /// How the session that has it calls it.
        var reporter: TaskID
        /// What it hangs under, or the ticket that it is.
        let name: TaskID
        /// The broker of that; `nil` until one says that it is.
        var owner: UInt64?
        /// When all brokers were asked for it last, and how often.
        var asked = (at: Moment(nanoseconds: 0), times: 0)
        var answer = Answer.unknown
        var ending = Ending.owed
        var hasChanged = true
        /// What the owner was told last of tasks below it.
        var toldBelow = Below.nothing
        /// The sequence under which it was told last, when that was, and whether nothing is to follow.
        var said: (sequence: UInt64, at: Moment, isEnding: Bool)?
        /// Whether the owner has a newer attempt from elsewhere.
        var isSuperseded = false
        /// Since when the owner says that it does not know it.
        var refusedSince: Moment?

        /// Whether the owner shows it, and this broker does not.
        var isTaken: Bool { answer != .unknown }
        /// Whether the owner knows this reporter's attempt.
        var isKnown: Bool { answer == .shown }
        /// Whether the owner has written down how it ended, or knows that it is lost.
        var isOver: Bool { ending != .owed }
    }

    /// What the owner has answered to what it was told of a part.
    enum Answer {
        /// Nothing yet, or that it does not know it: this broker shows it.
        case unknown
        /// It shows an attempt before that of the present reporter.
        case formerShown
        /// It shows it.
        case shown
    }

    /// Who has written down how a part ended.
    enum Ending {
        /// The part has not ended, or this broker has still to tell the owner.
        case owed
        /// The owner has its ending on disk, or knows that the part is lost.
        case written
        /// The owner has, and the journal here has forgotten the part and all below it.
        case forgotten
    }

    /// Tasks below a part.
    enum Below {
        case nothing
        /// All of them have ended.
        case ended
        case open
    }

    /// One session as one owner hears it.
    struct Voice {
        /// A session, and the broker at the other end.
        struct Key: Hashable {
            let session: SessionID
            let broker: UInt64
        }

        /// By the indices that the session gives them.
        var parts: [UInt64: TaskID] = [:]
        var isWelcome = false
        /// When it said hello, or goodbye, last.
        var saidHello: Moment?
        var saidGoodbye: Moment?
        /// Of the last frame that had a sequence.
        var sequence: UInt64 = 0
        /// What was told last of each part, by its sequence, until that is acknowledged.
        var told: [UInt64: TaskID] = [:]
        /// Of each delivery of the owner how many answers are awaited, and the worst so far.
        var deliveries: [UInt64: (awaited: Int, worst: WireOutcome)] = [:]

        /// The owner has heard so much of the session before.
        mutating func goOn(from heard: UInt64) {
            // Further than anybody comes, and far from where adding would end the process.
            sequence = max(sequence, min(heard, 1 << 62))
        }
    }

    /// Parts of one session that one delivery may ask.
    static let mostAsked = 100

    private(set) var parts: [TaskID: Part] = [:]
    private(set) var voices: [Voice.Key: Voice] = [:]

    subscript(task: TaskID) -> Part? {
        get { parts[task] }
        _modify { yield &parts[task] }
    }

    subscript(voice: Voice.Key) -> Voice? {
        get { voices[voice] }
        _modify { yield &voices[voice] }
    }

    /// Whether a task is shown by its owner, and not here.
    func isTaken(_ task: TaskID) -> Bool { parts[task]?.isTaken == true }

    /// Whether the owner is to be told of what is below a part, though that has ended.
    func owesFold(_ task: TaskID) -> Bool {
        guard let part = parts[task], let owner = part.owner else { return false }
        let key = Voice.Key(session: part.reporter.session, broker: owner)
        let isUnheard = part.said.map { voices[key]?.told[$0.sequence] != nil } ?? false
        return part.hasChanged || part.toldBelow == .open || isUnheard
    }

    /// A broker says that a task is in one of its jobs: what is a part of it here is the broker's.
    mutating func set(owner: UInt64, ofName name: TaskID) {
        for (task, part) in parts where part.name == name && part.owner == nil {
            set(owner: owner, of: task)
        }
    }

    private mutating func set(owner: UInt64, of task: TaskID) {
        guard let part = parts[task] else { return }
        parts[task]?.owner = owner
        let key = Voice.Key(session: part.reporter.session, broker: owner)
        voices[key, default: Voice()].parts[part.reporter.index] = task
    }

    /// It is not known any more whose it is.
    mutating func clearOwner(of task: TaskID) {
        guard let part = parts[task] else { return }
        remove(task)
        parts[task] = Part(reporter: part.reporter, name: part.name)
    }

    /// Another session reports a part now.
    mutating func set(reporter: TaskID, of task: TaskID) {
        guard var part = parts[task] else { return }
        remove(task)
        (part.reporter, part.ending, part.said, part.isSuperseded) = (reporter, .owed, nil, false)
        if part.isKnown { part.answer = .formerShown }
        parts[task] = part
        if let owner = part.owner { set(owner: owner, of: task) }
    }

    /// A part was told of under the last sequence of its voice, unless its ticket was redeemed.
    mutating func note(
        _ task: TaskID,
        saidBy key: Voice.Key,
        at now: Moment,
        isRedemption: Bool = false,
        isEnding: Bool = false
    ) {
        let sequence = isRedemption ? 0 : voices[key]?.sequence ?? 0
        if let former = parts[task]?.said?.sequence { voices[key]?.told[former] = nil }
        parts[task]?.said = (sequence, now, isEnding)
        if sequence > 0 { voices[key]?.told[sequence] = task }
    }

    /// What was told under this sequence has been heard: the part, and whether nothing is to follow.
    mutating func heard(_ sequence: UInt64, of key: Voice.Key) -> (task: TaskID, isEnding: Bool)? {
        guard let task = voices[key]?.told.removeValue(forKey: sequence),
            let said = parts[task]?.said, said.sequence == sequence
        else { return nil }
        return (task, said.isEnding)
    }

    /// The owner knows nothing of a session, or has welcomed it: it is told everything again.
    mutating func setWelcome(_ isWelcome: Bool, _ key: Voice.Key) {
        voices[key]?.isWelcome = isWelcome
        voices[key]?.saidHello = nil
        voices[key]?.told = [:]
        for task in (voices[key]?.parts ?? [:]).values {
            parts[task]?.said = nil
            parts[task]?.ending = .owed
        }
    }

    /// The owner knows that a session is gone.
    mutating func setGone(_ key: Voice.Key) {
        voices[key]?.isWelcome = false
        for task in (voices[key]?.parts ?? [:]).values { setWritten(task) }
    }

    /// The owner has written down how a part ended, or knows that it is lost.
    mutating func setWritten(_ task: TaskID) {
        if parts[task]?.ending == .owed { parts[task]?.ending = .written }
    }

    /// Forgets a task, and the voice that has nothing more to say because of that.
    mutating func remove(_ task: TaskID) {
        guard let part = parts.removeValue(forKey: task), let owner = part.owner else { return }
        let key = Voice.Key(session: part.reporter.session, broker: owner)
        voices[key]?.parts[part.reporter.index] = nil
        if let said = part.said { voices[key]?.told[said.sequence] = nil }
        if voices[key]?.parts.isEmpty == true { voices[key] = nil }
    }
}
