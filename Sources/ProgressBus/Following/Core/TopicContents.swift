import BusProtocol
import TaskTree

/// The picture of one topic: whatever of rows, totals, ids, cells and log lines it carries.
///
/// Bounds: `rowLimit` rows, with those beyond counted in `rowsLeftOut`, and the newest `logLimit`
/// log lines.
struct TopicContents: Sendable {
    /// Log lines kept, so that a repeated history is recognized.
    static let logLimit = 1_000

    /// What one row did to the picture.
    enum RowEffect: Equatable {
        case changed
        /// Changed to a state that brokers publish before their tick and consumers get without
        /// waiting.
        case turned
        /// Older than what is held, or beyond the bound.
        case ignored
        /// A row of an unknown task that is not complete: something was missed.
        case incomplete
    }

    /// One task, as it is shown.
    struct Row: Sendable {
        /// The task without children; its durations are as at `time`, and may be below 0.
        var task: TaskSnapshot
        /// When the durations were right, by the broker's clock in Unix seconds.
        var time: Double
        /// The topic's sequence of the row's newest change.
        var sequence: UInt64
        /// The follower's revision at the row's newest change.
        var revision: UInt64
        /// Whether another broker does the task.
        var isElsewhere: Bool
        /// Whether this part, below which another broker lists tasks, has ended; `nil` for other
        /// tasks.
        ///
        /// A part that has succeeded or was cancelled is `nil` too: what is below it leaves.
        fileprivate var endOfPart: Bool? {
            guard isElsewhere, task.parent != nil, task.counts.sum > 0, task.state != .succeeded,
                task.state != .cancelled
            else { return nil }
            return task.state.isEnded
        }

        /// Takes a row that is newer than the one held.
        fileprivate mutating func take(
            _ row: WireRow,
            sequence: UInt64,
            time: Double,
            revision: UInt64
        ) -> RowEffect {
            guard self.sequence < sequence else { return .ignored }
            let before = task.state
            task.take(row, at: time)
            if row.hasProgress { self.time = time }
            if row.hasDescription_p { isElsewhere = row.description_p.elsewhere }
            (self.sequence, self.revision) = (sequence, revision)
            return task.state != before && task.isUrgent ? .turned : .changed
        }

        /// The task with durations as at a moment of the broker's clock; `nil`: as at `time`.
        func shown(at now: Double?) -> TaskSnapshot {
            var task = task
            // What has ended does not grow older.
            let passed = task.state.isEnded ? 0 : (now ?? time) - time
            task.elapsed = task.elapsed.map { max($0 + passed, 0) }
            task.secondsSinceAdvance = task.secondsSinceAdvance.map { max($0 + passed, 0) }
            if task.state.isActive {
                task.active = task.active.map { $0 + max(passed, 0) }
                task.secondsLeft = task.secondsLeft(after: passed)
            }
            return task
        }
    }

    let topic: Topic
    /// The broker's life this belongs to.
    let epoch: UInt64
    var rowLimit: Int
    private(set) var rows: [TaskID: Row] = [:]
    private(set) var rowsLeftOut = 0
    /// Parts of a job below which another broker lists tasks, and whether they have ended.
    private(set) var parts: [TaskID: Bool] = [:]
    private(set) var totals: WireTotals?
    private(set) var attention: [TaskID] = []
    /// The cells of a mosaic, one byte each; cells left out are empty.
    private(set) var states: [UInt8] = []
    private(set) var hosts: WireHosts?
    private(set) var logs: [TaskMessage] = []
    /// The revision at which a row last came or went, or the cells or the hosts changed.
    private(set) var wholeRevision: UInt64 = 0
    /// The sequence of the newest change of the columns, which are all but the rows.
    private var columnsSequence: UInt64 = 0

    init(_ topic: Topic, epoch: UInt64, rowLimit: Int) {
        self.topic = topic
        self.epoch = epoch
        self.rowLimit = rowLimit
    }

    /// Adds one chunk of a snapshot.
    mutating func add(_ chunk: WireSnapshotChunk, revision: inout UInt64) {
        for row in chunk.rows {
            _ = apply(row, sequence: row.sequence, time: chunk.time, revision: &revision)
        }
        guard chunk.sequence >= columnsSequence else { return }
        if chunk.hasTotals { totals = chunk.totals }
        if chunk.hasHosts { hosts = chunk.hosts }
        if !chunk.states.isEmpty { states = chunk.stateBytes }
        if !chunk.attention.isEmpty { attention = chunk.attention.compactMap { $0.taskID() } }
        _ = append(chunk.logs)
        columnsSequence = chunk.sequence
    }

    /// Applies one row; the newer of it and the one held wins, whichever came first.
    mutating func apply(
        _ row: WireRow,
        sequence: UInt64,
        time: Double,
        revision: inout UInt64
    ) -> RowEffect {
        guard let task = row.task.taskID() else { return .ignored }
        revision += 1
        if let place = rows.index(forKey: task) {
            defer { notePart(task, rows.values[place].endOfPart) }
            return rows.values[place].take(row, sequence: sequence, time: time, revision: revision)
        }
        guard let shown = TaskSnapshot(row, id: task, at: time) else {
            return rowsLeftOut > 0 ? .ignored : .incomplete
        }
        guard rows.count < rowLimit else {
            rowsLeftOut += 1
            return .ignored
        }
        let new = Row(
            task: shown,
            time: time,
            sequence: sequence,
            revision: revision,
            isElsewhere: row.description_p.elsewhere
        )
        rows[task] = new
        notePart(task, new.endOfPart)
        wholeRevision = revision
        return .changed
    }

    private mutating func notePart(_ task: TaskID, _ hasEnded: Bool?) {
        if hasEnded != nil || !parts.isEmpty { parts[task] = hasEnded }
    }

    /// Takes a task away, unless it has come back since.
    mutating func remove(_ task: TaskID, sequence: UInt64, revision: UInt64) -> Row? {
        guard let known = rows[task], known.sequence < sequence else { return nil }
        wholeRevision = revision
        parts[task] = nil
        return rows.removeValue(forKey: task)
    }

    /// Applies the columns of an update; returns the new log lines.
    mutating func applyColumns(
        of update: WireUpdate,
        revision: UInt64
    ) -> [TaskMessage] {
        guard update.sequence > columnsSequence else { return [] }
        columnsSequence = update.sequence
        if update.hasTotals { totals = update.totals }
        if update.hasHosts {
            hosts = update.hosts
            wholeRevision = revision
        }
        if topic == .attention { attention = update.attention.compactMap { $0.taskID() } }
        if case .states = topic {
            states = update.stateBytes
            wholeRevision = revision
        }
        return append(update.logs)
    }

    /// Adds what the former picture had beyond this one, because only the job itself is known now.
    mutating func fill(from former: TopicContents) {
        rows.merge(former.rows) { new, _ in new }
        parts.merge(former.parts) { new, _ in new }
        if logs.isEmpty { logs = former.logs }
    }

    /// Marks unfinished tasks as silent until their next row, because nothing is heard of their
    /// host.
    mutating func becomeSilent(revision: inout UInt64) {
        var index = rows.startIndex
        while index != rows.endIndex {
            let task = rows.values[index].task
            if !task.state.isEnded, !task.isSilent {
                revision += 1
                rows.values[index].task.isSilent = true
                rows.values[index].revision = revision
            }
            rows.formIndex(after: &index)
        }
    }

    /// Takes over what was shown from the former picture; rows that differ count as changed at this
    /// revision, whenever they arrived.
    mutating func keep(_ former: TopicContents, revision: UInt64) {
        var index = rows.startIndex
        while index != rows.endIndex {
            let task = rows.keys[index]
            rows.values[index].revision = revision
            if let row = former.rows[task] { keep(row, at: index) }
            rows.formIndex(after: &index)
        }
        let isSame =
            rows.isEmpty && former.rows.isEmpty && states == former.states && hosts == former.hosts
        wholeRevision = isSame ? former.wholeRevision : revision
    }

    /// Keeps the fraction shown of an attempt from running backwards; a row that is the same as
    /// before is no change.
    private mutating func keep(_ former: Row, at index: Dictionary<TaskID, Row>.Index) {
        var task = former.task
        guard task.attempt == rows.values[index].task.attempt else { return }
        rows.values[index].task.show(atLeast: task.displayFraction)
        // These two grow by themselves.
        task.elapsed = rows.values[index].task.elapsed
        task.secondsSinceAdvance = rows.values[index].task.secondsSinceAdvance
        if task == rows.values[index].task { rows.values[index].revision = former.revision }
    }

    /// All tasks by slot or place; those without one come last, by id.
    //
    // Rows are large: only ids are moved about.
    var order: [TaskID] { Self.order(of: rows) }

    private static func order(of rows: [TaskID: Row]) -> [TaskID] {
        let placed: [(place: Int, id: TaskID)] = rows.map { id, row in
            (row.task.slot ?? row.task.place ?? .max, id)
        }
        return placed.sorted { $0 < $1 }.map(\.id)
    }

    /// A task with its children by place, as deep as asked for (`nil`: all of them).
    ///
    /// Durations are as at `now` by the broker's clock (`nil`: each as at its own time). `parts`
    /// are other topics, which have what is below parts of the task.
    func snapshot(
        of top: Row,
        with parts: [TopicContents] = [],
        depth: Int?,
        at now: Double?
    ) -> TaskSnapshot {
        var rows = rows
        for part in parts { rows.merge(part.rows) { known, _ in known } }
        let children = Dictionary(grouping: Self.order(of: rows)) { rows[$0]?.task.parent }
        func whole(_ row: Row, below parent: TaskSnapshot?, levels: Int) -> TaskSnapshot {
            var task = row.shown(at: now)
            // The broker that does a part may have it as a job.
            if let parent { (task.job, task.depth) = (parent.job, parent.depth + 1) }
            guard levels > 0, let below = children[task.id] else { return task }
            // A circle of parents that is reached from the top goes through it, and ends here.
            for child in below where child != top.task.id {
                guard let row = rows[child] else { continue }
                task.children.append(whole(row, below: task, levels: levels - 1))
            }
            if rows[task.id]?.endOfPart != nil {
                // The broker that has the job counts all these children as left out.
                task.childrenLeftOut = max(task.childrenLeftOut - task.children.count, 0)
            }
            return task
        }
        // Deeper than the protocol allows a tree to be.
        return whole(top, below: nil, levels: min(depth ?? 64, 64))
    }

    private mutating func append(_ lines: [WireLogLine]) -> [TaskMessage] {
        guard case .log(let job) = topic else { return [] }
        let new = lines.compactMap { TaskMessage($0, job: job) }
        logs += new
        if logs.count > Self.logLimit { logs.removeFirst(logs.count - Self.logLimit) }
        return new
    }
}
