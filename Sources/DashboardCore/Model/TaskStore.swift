import ProgressBus
import TaskTree

/// What the dashboard holds of the bus: the rows of the parts it follows, by where they are.
///
/// Bounds: what is followed is at most what fits on a screen, rounded up to whole parts.
struct TaskStore: Sendable {
    /// Messages kept of one job.
    static let messageLimit = 200

    /// What is remembered of a task besides its row.
    struct Memory: Sendable {
        /// Numbers that would flicker if they were shown as often as they come.
        var rate: Double?
        var secondsLeft: Double?
        var madeAt: Moment
        var takenAt: Moment
        var trend: RateTrend
        /// Since when it has been seen to be asked to stop.
        var cancellingSince: Moment?
    }

    var connection = Board.Connection.connecting
    /// Since when the connection is not live; `nil` while it is.
    var notLiveSince: Moment?
    /// Since when something that is shown has not arrived.
    var loadingSince: Moment?
    /// What the broker says of all its tasks; `nil` before the first picture.
    var broker: Board.Broker?
    /// When it was started; messages are kept as long as it runs.
    var brokerBegan: Moment?
    /// The highest slot that a job has; 0 without any.
    var highestSlot = 0
    var rows: [TaskID: TaskSnapshot] = [:]
    var members: [ViewportPart: [TaskID]] = [:]
    var inSlot: [Int: TaskID] = [:]
    var atPlace: [TaskID: [Int: TaskID]] = [:]
    var states: [ViewportPart: [UInt8]] = [:]
    var messages: [TaskID: [TaskMessage]] = [:]
    var hosts: [TaskID: JobHosts] = [:]
    var memories: [TaskID: Memory] = [:]

    init(at now: Moment) {
        notLiveSince = now
    }

    /// Seconds after which something that is not as it should be is said.
    static let patience = 2.0

    /// How long no broker has answered, once that is to be said.
    func secondsWithoutBroker(at now: Moment) -> Double? {
        let seconds = notLiveSince.map { now.seconds(since: $0) } ?? 0
        return seconds >= Self.patience ? seconds : nil
    }

    /// Whether a task that is not here is not on the bus, as far as its part is followed.
    var isComplete: Bool { connection == .live && loadingSince == nil }

    /// The row as it is shown, its rate and time left at most a second younger than before.
    func row(_ id: TaskID?) -> TaskSnapshot? {
        guard let id, var row = rows[id] else { return nil }
        if let calm = memories[id] {
            row.rate = calm.rate
            let passed = row.madeAt.seconds(since: calm.madeAt)
            row.secondsLeft = calm.secondsLeft.map { max($0 - passed, 0) }
        }
        return row
    }

    func job(inSlot slot: Int) -> TaskSnapshot? { row(inSlot[slot]) }

    func child(of parent: TaskID, at place: Int) -> TaskSnapshot? { row(atPlace[parent]?[place]) }
}

/// Taking in what came from the bus.
extension TaskStore {
    /// Seconds between two values of a rate or a time left.
    private static let calmPeriod = 1.0
    /// Memories of tasks that are not followed, at most.
    private static let mostKeptMemories = 1_000

    mutating func take(_ update: ViewportUpdate, at now: Moment) {
        connection = update.connection
        notLiveSince = update.connection == .live ? nil : notLiveSince ?? now
        loadingSince = update.isLoading ? loadingSince ?? now : nil
        if let broker = update.broker {
            if self.broker?.epoch != broker.epoch {
                brokerBegan = now.advanced(bySeconds: -broker.uptime)
            }
            self.broker = broker
            highestSlot = update.highestSlot
        }
        guard update.connection == .live else { return }
        for row in update.changed { take(row, at: now) }
        for (part, tasks) in update.members { members[part] = tasks }
        if !update.members.isEmpty { forgetStrayRows() }
        place(update)
        for (part, block) in update.states { states[part] = block }
        for (job, spread) in update.hosts { hosts[job] = spread }
        for message in update.messages { take(message) }
    }

    /// Forgets what is no longer followed.
    mutating func keep(only parts: Set<ViewportPart>) {
        members = members.filter { parts.contains($0.key) }
        states = states.filter { parts.contains($0.key) }
        hosts = hosts.filter { parts.contains(.hosts(of: $0.key)) }
        messages = messages.filter { parts.contains(.messages(of: $0.key)) }
        forgetStrayRows()
        inSlot = inSlot.filter { rows[$0.value] != nil }
        atPlace = atPlace.compactMapValues { places in
            let known = places.filter { rows[$0.value] != nil }
            return known.isEmpty ? nil : known
        }
    }

    private mutating func take(_ row: TaskSnapshot, at now: Moment) {
        rows[row.id] = row
        var memory =
            memories[row.id] ?? Memory(madeAt: row.madeAt, takenAt: now, trend: RateTrend(at: now))
        defer { memories[row.id] = memory }
        memory.cancellingSince = row.state == .cancelling ? memory.cancellingSince ?? now : nil
        let isFresh = now.seconds(since: memory.takenAt) < Self.calmPeriod
        if isFresh, row.condition == .running, memory.rate != nil { return }
        memory.trend.take(row.rate ?? 0, at: now)
        (memory.rate, memory.secondsLeft) = (row.rate, row.secondsLeft)
        (memory.madeAt, memory.takenAt) = (row.madeAt, now)
    }

    /// Finds out who is where, of the parts that changed.
    private mutating func place(_ update: ViewportUpdate) {
        var stale = Set(update.members.keys)
        for row in update.changed {
            if let slot = row.slot {
                stale.insert(.holding(slot: slot))
            }
            if let parent = row.parent, let place = row.place {
                stale.insert(.holding(childOf: parent, at: place))
            }
        }
        for part in stale {
            guard let tasks = members[part] else { continue }
            switch part {
            case .board:
                inSlot = inSlot.filter { ViewportPart.holding(slot: $0.key) != part }
                for id in tasks {
                    guard let slot = rows[id]?.slot else { continue }
                    inSlot[slot] = newer(id, inSlot[slot])
                }
            case .children(let parent, _):
                var places = atPlace[parent] ?? [:]
                places = places.filter { ViewportPart.holding(childOf: parent, at: $0.key) != part }
                for id in tasks {
                    guard let place = rows[id]?.place else { continue }
                    places[place] = newer(id, places[place])
                }
                atPlace[parent] = places
            case .states, .hosts, .messages:
                break
            }
        }
    }

    /// Of two that say they are in one place: the one that has not ended, or else the later.
    private func newer(_ id: TaskID, _ other: TaskID?) -> TaskID {
        guard let other, let first = rows[id], let second = rows[other] else { return id }
        if first.state.isEnded != second.state.isEnded { return first.state.isEnded ? other : id }
        return (first.startedAt?.unixTime ?? 0) >= (second.startedAt?.unixTime ?? 0) ? id : other
    }

    private mutating func take(_ message: TaskMessage) {
        var lines = messages[message.job] ?? []
        lines.append(message)
        if lines.count > Self.messageLimit { lines.removeFirst(lines.count - Self.messageLimit) }
        messages[message.job] = lines
    }

    private mutating func forgetStrayRows() {
        let count = members.values.reduce(0) { $0 + $1.count }
        guard rows.count > count else { return }
        var known: Set<TaskID> = []
        for tasks in members.values { known.formUnion(tasks) }
        rows = rows.filter { known.contains($0.key) }
        // A row that comes back still says since when its task has been asked to stop.
        let isRoom = memories.count <= known.count + Self.mostKeptMemories
        memories = memories.filter { task, memory in
            known.contains(task) || isRoom && memory.cancellingSince != nil
        }
    }
}
