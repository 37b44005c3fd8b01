import BusProtocol
import TaskTree

@testable import ProgressBus

/// The viewers' side of a broker, without sockets: jobs with children, topics, snapshots.
struct SimulatedBroker {
    /// What the broker knows of one task.
    struct Known: Equatable {
        var parent: TaskID?
        var job: TaskID
        var slot: UInt32?
        /// Of a child, in its parent.
        var place: UInt32?
        var title: String
        var completed: Int64 = 0
        var fraction = 0.0
        var secondsLeft: Double?
        var state = WireShownState.running
        var changedIn: UInt64 = 0
        /// Whether another broker does it: what is below it is in a topic of its own.
        var isElsewhere = false
    }

    static let session = SessionID(rawValue: 77)
    let rowsPerChunk: Int
    private(set) var epoch: UInt64
    var isSettling = false
    var time: Double
    private(set) var tasks: [TaskID: Known] = [:]
    private(set) var step: UInt64
    private var lastIndex: UInt64 = 0
    private var topics: [Topic: UInt64] = [:]
    private var changed: Set<TaskID> = []
    private var described: Set<TaskID> = []
    private var logs: [TaskID: [WireLogLine]] = [:]
    private var newLogs: Set<TaskID> = []
    private var removed: [(task: TaskID, known: Known, reason: String)] = []
    private var listings: [String: [TaskID]] = [:]

    init(epoch: UInt64 = 1, step: UInt64 = 100, rowsPerChunk: Int = 3, time: Double = 1_000) {
        self.epoch = epoch
        self.step = step
        self.rowsPerChunk = rowsPerChunk
        self.time = time
    }

    static func id(_ index: UInt64) -> TaskID { TaskID(index: index, session: session) }

    var jobs: [TaskID] { tasks.filter { $0.value.parent == nil }.map(\.key).sorted() }

    // MARK: - What happens to tasks

    mutating func begin(
        _ title: String,
        below parent: TaskID? = nil,
        inSlot wanted: UInt32? = nil
    ) -> TaskID {
        lastIndex += 1
        let id = Self.id(lastIndex)
        let taken = Set(tasks.values.compactMap(\.slot))
        let slot = parent == nil ? wanted ?? (1...).first { !taken.contains($0) } : nil
        let job = parent.flatMap { tasks[$0]?.isElsewhere == true ? $0 : tasks[$0]?.job } ?? id
        let siblings = tasks.values.filter { $0.parent == parent }
        let places = Set(siblings.compactMap(\.place))
        let place = parent == nil ? nil : (1...).first { !places.contains($0) }
        tasks[id] = Known(parent: parent, job: job, slot: slot, place: place, title: title)
        changed.insert(id)
        described.insert(id)
        return id
    }

    mutating func change(_ id: TaskID, _ change: (inout Known) -> Void) {
        guard var known = tasks[id] else { return }
        change(&known)
        if known.title != tasks[id]?.title { described.insert(id) }
        tasks[id] = known
        changed.insert(id)
    }

    /// Says a line about a job.
    mutating func log(_ job: TaskID, _ text: String) {
        var line = WireLogLine()
        line.task = WireTaskRef(job)
        line.text = text
        line.time = time
        logs[job, default: []].append(line)
        newLogs.insert(job)
        changed.insert(job)
    }

    mutating func remove(_ id: TaskID, reason: String) {
        for (task, known) in tasks where task == id || known.job == id || known.parent == id {
            removed.append((task, known, reason))
            tasks[task] = nil
            changed.remove(task)
        }
    }

    /// The same tasks in a new life of the broker.
    mutating func restart(epoch: UInt64, keeping isKept: (TaskID) -> Bool = { _ in true }) {
        self.epoch = epoch
        step = 10
        topics = [:]
        listings = [:]
        removed = []
        tasks = tasks.filter { isKept($0.key) }
        for id in tasks.keys { tasks[id]?.changedIn = step }
        changed = []
        described = []
    }

    // MARK: - The updates socket

    /// A subscription arrives; the beat it is answered by.
    mutating func subscribe(_ name: String) -> (String, WireUpdate)? {
        guard let topic = Topic(name: name) else { return nil }
        if topics[topic] == nil { topics[topic] = step }
        return beat(topic)
    }

    mutating func unsubscribe(_ name: String) {
        if let topic = Topic(name: name) { topics[topic] = nil }
    }

    func beats() -> [(String, WireUpdate)] { topics.keys.compactMap(beat) }

    private func beat(_ topic: Topic) -> (String, WireUpdate)? {
        guard let sequence = topics[topic] else { return nil }
        var update = emptyUpdate
        update.sequence = sequence
        update.previous = sequence
        return (topic.name, update)
    }

    /// Publishes what changed since the last tick.
    mutating func tick() -> [(String, WireUpdate)] {
        guard !changed.isEmpty || !removed.isEmpty else { return [] }
        step += 7
        for id in changed { tasks[id]?.changedIn = step }
        var updates: [Topic: WireUpdate] = [:]
        for (task, known, reason) in removed {
            var wire = WireRemoved()
            wire.task = WireTaskRef(task)
            wire.reason = reason
            for topic in Self.topics(showing: known) {
                updates[topic, default: emptyUpdate].removed.append(wire)
            }
        }
        for id in changed.sorted() {
            guard let known = tasks[id] else { continue }
            for topic in Self.topics(showing: known) {
                let row = row(id, isDescribed: described.contains(id))
                updates[topic, default: emptyUpdate].rows.append(row)
            }
        }
        for job in newLogs {
            updates[.log(job), default: emptyUpdate].logs = logs[job]?.suffix(1) ?? []
        }
        newLogs = []
        for case .states(let job, let block) in topics.keys {
            updates[.states(job, block: block), default: emptyUpdate].stateBytes = states(of: job)
        }
        if topics[.totals] != nil { updates[.totals, default: emptyUpdate].totals = totals }
        changed = []
        described = []
        removed = []
        var published: [(String, WireUpdate)] = []
        for (topic, var update) in updates {
            guard let previous = topics[topic] else { continue }
            update.previous = previous
            update.sequence = step
            topics[topic] = step
            published.append((topic.name, update))
        }
        return published.sorted { $0.0 < $1.0 }
    }

    private static func topics(showing known: Known) -> [Topic] {
        var topics: [Topic] = [.job(known.job)]
        if let slot = known.slot { topics.append(.board(page: Int(slot - 1) / 64)) }
        if let parent = known.parent, let place = known.place {
            topics.append(.children(parent, block: Int(place - 1) / ViewportPart.placesPerBlock))
        }
        return topics
    }

    /// The cell of a task is its index.
    func states(of job: TaskID) -> [UInt8] {
        let mine = tasks.filter { $0.value.job == job }
        guard let highest = mine.keys.map(\.index).max() else { return [] }
        return (1...highest).map { index in
            mine[Self.id(index)].map { UInt8(1 + $0.state.rawValue) } ?? 0
        }
    }

    private var emptyUpdate: WireUpdate {
        var update = WireUpdate()
        update.epoch = epoch
        update.time = time
        update.settling = isSettling
        return update
    }

    private var totals: WireTotals {
        var totals = WireTotals()
        totals.highestSlot = tasks.values.compactMap(\.slot).max() ?? 0
        totals.tasks.running = UInt64(tasks.count)
        totals.jobs.running = UInt64(jobs.count)
        return totals
    }

    func row(_ id: TaskID, isDescribed: Bool) -> WireRow {
        var row = WireRow()
        guard let known = tasks[id] else { return row }
        row.task = WireTaskRef(id)
        row.sequence = known.changedIn
        if isDescribed {
            row.description_p.title = known.title
            row.description_p.key = known.title
            row.description_p.attempt = 1
            row.description_p.job = WireTaskRef(known.job)
            if let parent = known.parent { row.description_p.parent = WireTaskRef(parent) }
            if let slot = known.slot { row.description_p.slot = slot }
            if let place = known.place { row.description_p.place = place }
            row.description_p.elsewhere = known.isElsewhere
            row.description_p.depth = depth(of: known)
        }
        if known.isElsewhere {
            let below = tasks.values.filter { $0.parent == id }.count
            row.progress.counts.running = UInt64(below)
            row.progress.childrenLeftOut = UInt64(below)
        }
        row.progress.state = known.state
        row.progress.completed = known.completed
        if let left = known.secondsLeft { row.progress.secondsLeft = left }
        row.progress.total = 1_000
        row.progress.fraction = known.fraction
        row.progress.displayFraction = known.fraction
        row.progress.begun = time - 10
        return row
    }

    /// Of a circle of parents, which tests make, as much as a tree may have.
    private func depth(of known: Known, most: UInt32 = 64) -> UInt32 {
        guard most > 0, let parent = known.parent.flatMap({ tasks[$0] }) else { return 0 }
        return 1 + depth(of: parent, most: most - 1)
    }

    // MARK: - The control socket

    /// Takes a frame; the answer to it.
    mutating func answer(_ frame: WireClientFrame) -> WireBrokerFrame? {
        var answer = WireBrokerFrame()
        answer.epoch = epoch
        switch frame.body {
        case .hello:
            var welcome = WireWelcome()
            welcome.version = "1.2.3"
            welcome.heartbeat = 1_000
            welcome.tick = 50
            welcome.uptime = 5
            answer.welcome = welcome
        case .snapshot(let request):
            guard let chunk = chunk(for: request) else { return nil }
            answer.snapshot = chunk
        case .find(let find):
            var found = WireFound()
            found.request = find.request
            found.tasks = tasks.filter { $0.value.title == find.text }.map { id, known in
                var task = WireFoundTask()
                task.task = WireTaskRef(id)
                task.job = WireTaskRef(known.job)
                task.title = known.title
                return task
            }
            answer.found = found
        default:
            return nil
        }
        return answer
    }

    private mutating func chunk(for request: WireSnapshotRequest) -> WireSnapshotChunk? {
        guard let topic = Topic(name: request.topic) else { return nil }
        var chunk = WireSnapshotChunk()
        chunk.request = request.request
        chunk.topic = request.topic
        chunk.sequence = topics[topic] ?? step
        chunk.settling = isSettling
        chunk.time = time
        chunk.last = true
        if topic == .totals { chunk.totals = totals }
        if case .log(let job) = topic { chunk.logs = logs[job] ?? [] }
        if case .states(let job, _) = topic { chunk.stateBytes = states(of: job) }
        var from = 0
        var key = "\(request.request)"
        if let cursor = String(validating: request.cursorBytes, as: UTF8.self), !cursor.isEmpty {
            let parts = cursor.split(separator: ":").map(String.init)
            key = parts[0]
            from = Int(parts[1]) ?? 0
        } else {
            listings[key] = list(topic)
        }
        let ids = listings[key] ?? []
        let end = min(from + rowsPerChunk, ids.count)
        for id in ids[min(from, end)..<end] where tasks[id] != nil && !changed.contains(id) {
            chunk.rows.append(row(id, isDescribed: true))
        }
        if end < ids.count {
            chunk.last = false
            chunk.cursorBytes = Array("\(key):\(end)".utf8)
        }
        return chunk
    }

    private func list(_ topic: Topic) -> [TaskID] {
        tasks.filter { Self.topics(showing: $0.value).contains(topic) }.map(\.key).sorted()
    }
}
