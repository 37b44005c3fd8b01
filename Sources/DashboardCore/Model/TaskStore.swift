import ProgressBus
import TaskTree

/// What the dashboard keeps of the bus: the contents of the parts that it follows.
///
/// The dashboard follows what fits on a screen, rounded up to whole parts, and up to
/// `searchedPages` pages of the board where it needs all jobs.
struct TaskStore: Sendable {
    /// Messages kept of one job.
    static let messageLimit = 200

    /// What the store remembers of a task besides its row.
    struct Memory: Sendable {
        /// The rate as it is shown, which like `secondsLeft` would flicker if it changed with each
        /// update.
        var rate: Double?
        var secondsLeft: Double?
        var madeAt: Moment
        var takenAt: Moment
        var trend: RateTrend
        /// When the task was first seen in the state `cancelling`.
        var cancellingSince: Moment?
    }

    var connection = Board.Connection.connecting
    /// Since when the connection is not live; `nil` while it is.
    var notLiveSince: Moment?
    /// Since when a followed part is missing; `nil` while all parts are here.
    var loadingSince: Moment?
    /// What the broker says of all its tasks; `nil` before the first picture.
    var broker: Board.Broker?
    /// When the broker was started; it keeps messages as long as it runs.
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

    /// Seconds after which the dashboard tells of a lost connection or a missing part.
    static let patience = 2.0

    /// How many seconds no broker has answered; `nil` for less than `patience`.
    func secondsWithoutBroker(at now: Moment) -> Double? {
        let seconds = notLiveSince.map { now.seconds(since: $0) } ?? 0
        return seconds >= Self.patience ? seconds : nil
    }

    /// Whether all followed parts are here, so that a task missing from them is not on the bus.
    var isComplete: Bool { connection == .live && loadingSince == nil }

    /// The row as it is shown: while the task runs, its rate and time left are renewed at most once
    /// a second.
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
    /// Seconds between two shown values of a rate or a time left.
    private static let calmPeriod = 1.0
    /// The most memories kept of tasks that are not followed.
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

    /// Updates which task is in which slot or place, in the parts that changed.
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

    /// Of two tasks that claim one place, the one that has not ended, or else the one that began
    /// later.
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
        // A task whose row comes back still shows how long ago it was asked to stop.
        let isRoom = memories.count <= known.count + Self.mostKeptMemories
        memories = memories.filter { task, memory in
            known.contains(task) || isRoom && memory.cancellingSince != nil
        }
    }
}
