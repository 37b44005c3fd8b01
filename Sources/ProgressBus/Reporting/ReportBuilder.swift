import BusProtocol
import TaskTree

/// A report that is being filled.
///
/// Columns are gathered here and put into the message at the end: the message would copy a column
/// for every row that is added to it.
struct ReportBuilder {
    private var amountIndex: [UInt64] = []
    private var completed: [Int64] = []
    private var total: [Int64] = []
    private var detailIndex: [UInt64] = []
    private var detail: [String] = []
    private var clockIndex: [UInt64] = []
    private var elapsed: [UInt64] = []
    private var active: [UInt64] = []
    private var sinceAdvance: [UInt64] = []
    private var descriptions: [WireDescription] = []
    private var states: [WireStateChange] = []
    private var folds: [WireFold] = []
    private var logs: [WireLogLine] = []
    private var room: Int
    /// How many removed indices the report's folds may still name.
    private var names = ProtocolLimits.removedIndices
    private let session: SessionID
    private let wallOffset: Double?
    private(set) var isEmpty = true

    init(room: Int, session: SessionID, wallOffset: Double?) {
        self.room = room
        self.session = session
        self.wallOffset = wallOffset
    }

    var hasRoom: Bool { room > 0 }

    /// Whether a fold that names this many removed indices still fits.
    func mayName(_ count: Int) -> Bool { count <= names }

    /// The report with everything added so far, without sequence and credential.
    func report() -> WireReport {
        var report = WireReport()
        if !amountIndex.isEmpty { report.amountIndex = amountIndex }
        if !completed.isEmpty { report.completed = completed }
        if !total.isEmpty { report.total = total }
        if !detailIndex.isEmpty { report.detailIndex = detailIndex }
        if !detail.isEmpty { report.detail = detail }
        if !clockIndex.isEmpty { report.clockIndex = clockIndex }
        if !elapsed.isEmpty { report.elapsed = elapsed }
        if !active.isEmpty { report.active = active }
        if !sinceAdvance.isEmpty { report.sinceAdvance = sinceAdvance }
        if !descriptions.isEmpty { report.descriptions = descriptions }
        if !states.isEmpty { report.states = states }
        if !folds.isEmpty { report.folds = folds }
        if !logs.isEmpty { report.logs = logs }
        return report
    }

    mutating func add(_ record: ReportedTask, _ news: TaskNews, at now: Moment) {
        isEmpty = false
        if news.contains(.description) {
            descriptions.append(record.wireDescription(in: session, wallOffset))
            addClock(record, at: now)
            room -= record.estimatedBytes
        }
        if news.contains(.amounts) {
            amountIndex.append(record.index)
            completed.append(record.amount)
            total.append(record.total ?? -1)
            room -= 15
        }
        if news.contains(.detail), !record.detail.isEmpty || !news.contains(.description) {
            detailIndex.append(record.index)
            detail.append(record.detail)
            room -= 10 + record.detail.utf8.count
        }
        // A final state goes over control as an ending, which the broker acknowledges.
        if news.contains(.state), !record.isEnded,
            record.state == .paused || record.wasStated
        {
            var change = WireStateChange()
            change.index = record.index
            change.state = record.state.wire.state
            states.append(change)
            room -= ReportingFrame.entryBytes
            if !news.contains(.description) { addClock(record, at: now) }
        }
    }

    private mutating func addClock(_ record: ReportedTask, at now: Moment) {
        let clock = record.clock(at: now)
        clockIndex.append(record.index)
        elapsed.append(clock.elapsed)
        active.append(clock.active)
        sinceAdvance.append(clock.sinceAdvance)
        room -= 20
    }

    mutating func add(fold: FoldBook, below parent: UInt64) {
        isEmpty = false
        folds.append(fold.wire(below: parent, of: session))
        names -= fold.removed.count
        room -= fold.estimatedBytes
    }

    mutating func add(logs lines: [LogTail.Line]) {
        guard !lines.isEmpty else { return }
        isEmpty = false
        for line in lines {
            var wire = WireLogLine()
            wire.task = WireTaskRef(TaskID(index: line.index, session: session))
            wire.text = line.text
            wire.time = line.time
            logs.append(wire)
            room -= ReportingFrame.entryBytes + line.text.utf8.count
        }
    }
}
