import BusProtocol
import TaskTree

/// The picture of one topic: whatever of rows, totals, ids, cells and log lines it carries.
///
/// Bounds: `rowLimit` rows, `logLimit` log lines; what is beyond is counted in `rowsLeftOut`, or,
/// of log lines, the oldest forgotten.
struct TopicContents: Sendable {
    /// Log lines kept, so that a repeated history is recognized.
    static let logLimit = 1_000

    /// What one row did to the picture.
    enum RowEffect: Equatable {
        case changed
        /// Changed in a way that brokers publish before their tick, and nobody should wait for.
        case turned
        /// Older than what is held, or beyond the bound.
        case ignored
        /// An unknown task of which only a part is said: something was missed.
        case incomplete
    }

    /// The broker's life this belongs to.
    let epoch: UInt64
    let rowLimit: Int
    private(set) var rows: [TaskID: RowState] = [:]
    private(set) var rowsLeftOut = 0
    private(set) var totals: WireTotals?
    private(set) var attention: [TaskID] = []
    /// A byte a cell; those that are left out are empty.
    private(set) var states: [UInt8] = []
    private(set) var hosts: WireHosts?
    private(set) var logs: [LogEntry] = []
    /// When a row came or went, and when the cells changed, as rows count it.
    private(set) var membershipRevision: UInt64 = 0
    private(set) var statesRevision: UInt64 = 0
    private(set) var hostsRevision: UInt64 = 0
    /// The sequences of what the columns beside the rows hold.
    private var columnsSequence: UInt64 = 0

    /// A log line as it is compared.
    struct LogEntry: Hashable, Sendable {
        var task: TaskID
        var text: String
        var time: Double

        init?(_ line: WireLogLine) {
            guard let task = line.task.taskID() else { return nil }
            self.task = task
            self.text = line.text
            self.time = line.time.isFinite ? line.time : 0
        }
    }

    init(epoch: UInt64, rowLimit: Int) {
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

    /// Applies one row; newer than what is held wins, whatever came first.
    mutating func apply(
        _ row: WireRow,
        sequence: UInt64,
        time: Double,
        revision: inout UInt64
    ) -> RowEffect {
        guard let task = row.task.taskID() else { return .ignored }
        revision += 1
        if let place = rows.index(forKey: task) {
            guard rows.values[place].sequence < sequence else { return .ignored }
            let before = rows.values[place].progress.state
            rows.values[place].merge(row, sequence: sequence, time: time, revision: revision)
            let isNew = rows.values[place].progress.state != before
            return isNew && rows.values[place].isUrgent ? .turned : .changed
        }
        guard
            let state = RowState(
                row,
                task: task,
                sequence: sequence,
                time: time,
                revision: revision
            )
        else { return rowsLeftOut > 0 ? .ignored : .incomplete }
        guard rows.count < rowLimit else {
            rowsLeftOut += 1
            return .ignored
        }
        rows[task] = state
        membershipRevision = revision
        return .changed
    }

    /// Takes a task away, unless it has come back since.
    mutating func remove(_ task: TaskID, sequence: UInt64, revision: UInt64) -> RowState? {
        guard let known = rows[task], known.sequence < sequence else { return nil }
        membershipRevision = revision
        return rows.removeValue(forKey: task)
    }

    /// Applies what an update says besides rows; the log lines that are new.
    mutating func applyColumns(
        of update: WireUpdate,
        topic: Topic,
        revision: UInt64
    ) -> [LogEntry] {
        guard update.sequence > columnsSequence else { return [] }
        columnsSequence = update.sequence
        if update.hasTotals { totals = update.totals }
        if update.hasHosts {
            hosts = update.hosts
            hostsRevision = revision
        }
        if topic == .attention { attention = update.attention.compactMap { $0.taskID() } }
        if case .states = topic {
            states = update.stateBytes
            statesRevision = revision
        }
        return append(update.logs)
    }

    /// Takes over what was shown of the same tasks in the picture before; what is different
    /// changes at this revision, whenever it arrived.
    mutating func keep(_ former: TopicContents, revision: UInt64) {
        var index = rows.startIndex
        while index != rows.endIndex {
            let task = rows.keys[index]
            rows.values[index].revision = revision
            if let row = former.rows[task] { rows.values[index].keep(row) }
            rows.formIndex(after: &index)
        }
        membershipRevision = revision
        statesRevision = states == former.states ? former.statesRevision : revision
        hostsRevision = hosts == former.hosts ? former.hostsRevision : revision
    }

    private mutating func append(_ lines: [WireLogLine]) -> [LogEntry] {
        let entries = lines.compactMap { LogEntry($0) }
        logs += entries
        if logs.count > Self.logLimit { logs.removeFirst(logs.count - Self.logLimit) }
        return entries
    }
}
