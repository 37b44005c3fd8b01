import BusProtocol
import TaskTree

/// Tasks of this broker's sessions that are parts of other brokers' jobs.
///
/// The owner of a part is the broker that has the job. This table also holds what each owner has
/// been told and has answered. Above `CoreConfiguration.fleetParts`, such a task is a job of its
/// own here.
struct FleetParts {
    /// A task whose parent or ticket is, or may be, another broker's.
    struct Part {
        /// The id under which its session reports the part.
        var reporter: TaskID
        /// The parent of the part, or the ticket that it has redeemed.
        let name: TaskID
        /// The broker that has the parent or ticket; `nil` until one says that it does.
        var owner: UInt64?
        /// When all brokers were last asked for the owner, and how often.
        var asked = (at: Moment(nanoseconds: 0), times: 0)
        var answer = Answer.unknown
        var ending = Ending.owed
        var hasChanged = true
        /// What the owner was last told of the tasks below the part.
        var toldBelow = Below.nothing
        /// The sequence and time of the last frame to the owner about the part, and whether it was
        /// the final one.
        var said: (sequence: UInt64, at: Moment, isEnding: Bool)?
        /// Whether the owner has a newer attempt from elsewhere.
        var isSuperseded = false
        /// Since when the owner has answered that it does not know the part.
        var refusedSince: Moment?

        /// Whether the owner shows the part, so that this broker does not.
        var isTaken: Bool { answer != .unknown }
        /// Whether the owner knows this reporter's attempt.
        var isKnown: Bool { answer == .shown }
        /// Whether the owner has the part's ending on disk, or knows that the part is lost.
        var isOver: Bool { ending != .owed }
    }

    /// Whether the owner shows a part, as far as it has answered.
    enum Answer {
        /// The owner has not answered, or does not know the part: this broker shows it.
        case unknown
        /// The owner shows an attempt before that of the present reporter.
        case formerShown
        /// The owner shows the present attempt.
        case shown
    }

    /// Who has written down how a part ended.
    enum Ending {
        /// The part has not ended, or this broker has still to tell the owner.
        case owed
        /// The owner has its ending on disk, or knows that the part is lost.
        case written
        /// Like `written`, and this broker's journal has forgotten the part and all below it.
        case forgotten
    }

    /// Whether there are tasks below a part, and whether they have ended.
    enum Below {
        case nothing
        /// All of them have ended.
        case ended
        case open
    }

    /// What one session tells one owner about its parts.
    struct Conversation {
        /// The session's parts of this owner's jobs, by the indices that the session gives them.
        var parts: [UInt64: TaskID] = [:]
        var isWelcome = false
        /// When the session last said hello to the owner, and when goodbye.
        var saidHello: Moment?
        var saidGoodbye: Moment?
        /// The sequence of the last frame that had one.
        var sequence: UInt64 = 0
        /// Parts whose newest frame the owner has not acknowledged, by that frame's sequence.
        var told: [UInt64: TaskID] = [:]
        /// For each delivery of the owner, how many answers are awaited and the worst so far.
        var deliveries: [UInt64: (awaited: Int, worst: WireOutcome)] = [:]

        /// Continues after the last sequence that the owner has heard from the session.
        mutating func goOn(from heard: UInt64) {
            // The cap is more than any session reaches, and far below where an addition would
            // overflow.
            sequence = max(sequence, min(heard, 1 << 62))
        }
    }

    /// How many parts of a session one delivery may be about.
    static let mostAsked = 100

    private(set) var parts: [TaskID: Part] = [:]
    private(set) var conversations: [FleetRoute: Conversation] = [:]

    subscript(task: TaskID) -> Part? {
        get { parts[task] }
        _modify { yield &parts[task] }
    }

    subscript(key: FleetRoute) -> Conversation? {
        get { conversations[key] }
        _modify { yield &conversations[key] }
    }

    /// Whether a task is a part that its owner shows, and not this broker.
    func isTaken(_ task: TaskID) -> Bool { parts[task]?.isTaken == true }

    /// Whether the owner has yet to be told of tasks below a part, even if the part has ended.
    func owesFold(_ task: TaskID) -> Bool {
        guard let part = parts[task], let owner = part.owner else { return false }
        let key = FleetRoute(session: part.reporter.session, broker: owner)
        let isUnheard = part.said.map { conversations[key]?.told[$0.sequence] != nil } ?? false
        return part.hasChanged || part.toldBelow == .open || isUnheard
    }

    /// Makes the broker that has the task `name` the owner of the parts whose parent or ticket is
    /// that task.
    mutating func set(owner: UInt64, ofName name: TaskID) {
        for (task, part) in parts where part.name == name && part.owner == nil {
            set(owner: owner, of: task)
        }
    }

    private mutating func set(owner: UInt64, of task: TaskID) {
        guard let part = parts[task] else { return }
        parts[task]?.owner = owner
        let key = FleetRoute(session: part.reporter.session, broker: owner)
        conversations[key, default: Conversation()].parts[part.reporter.index] = task
    }

    /// Forgets the owner of a part, and what the owner was told.
    mutating func clearOwner(of task: TaskID) {
        guard let part = parts[task] else { return }
        remove(task)
        parts[task] = Part(reporter: part.reporter, name: part.name)
    }

    /// Sets another reporter of a part, whose new attempt has begun.
    mutating func set(reporter: TaskID, of task: TaskID) {
        guard var part = parts[task] else { return }
        remove(task)
        (part.reporter, part.ending, part.said, part.isSuperseded) = (reporter, .owed, nil, false)
        if part.isKnown { part.answer = .formerShown }
        parts[task] = part
        if let owner = part.owner { set(owner: owner, of: task) }
    }

    /// Notes that the owner was told of a part, under the last sequence of its conversation; a
    /// redemption has no sequence.
    mutating func note(
        _ task: TaskID,
        saidBy key: FleetRoute,
        at now: Moment,
        isRedemption: Bool = false,
        isEnding: Bool = false
    ) {
        let sequence = isRedemption ? 0 : conversations[key]?.sequence ?? 0
        if let former = parts[task]?.said?.sequence { conversations[key]?.told[former] = nil }
        parts[task]?.said = (sequence, now, isEnding)
        if sequence > 0 { conversations[key]?.told[sequence] = task }
    }

    /// Takes the owner's acknowledgement of a sequence; returns its part, and whether the frame was
    /// the part's final one.
    mutating func heard(_ sequence: UInt64, of key: FleetRoute) -> (task: TaskID, isEnding: Bool)? {
        guard let task = conversations[key]?.told.removeValue(forKey: sequence),
            let said = parts[task]?.said, said.sequence == sequence
        else { return nil }
        return (task, said.isEnding)
    }

    /// Sets whether the owner has welcomed a session; in both cases the owner is told everything
    /// again.
    mutating func setWelcome(_ isWelcome: Bool, _ key: FleetRoute) {
        conversations[key]?.isWelcome = isWelcome
        conversations[key]?.saidHello = nil
        conversations[key]?.told = [:]
        for task in (conversations[key]?.parts ?? [:]).values {
            parts[task]?.said = nil
            parts[task]?.ending = .owed
        }
    }

    /// Notes that the owner knows that a session is gone.
    mutating func setGone(_ key: FleetRoute) {
        conversations[key]?.isWelcome = false
        for task in (conversations[key]?.parts ?? [:]).values { setWritten(task) }
    }

    /// Notes that the owner has a part's ending on disk, or knows that the part is lost.
    mutating func setWritten(_ task: TaskID) {
        if parts[task]?.ending == .owed { parts[task]?.ending = .written }
    }

    /// Forgets a part, and its conversation if that has no other part.
    mutating func remove(_ task: TaskID) {
        guard let part = parts.removeValue(forKey: task), let owner = part.owner else { return }
        let key = FleetRoute(session: part.reporter.session, broker: owner)
        conversations[key]?.parts[part.reporter.index] = nil
        if let said = part.said { conversations[key]?.told[said.sequence] = nil }
        if conversations[key]?.parts.isEmpty == true { conversations[key] = nil }
    }
}
