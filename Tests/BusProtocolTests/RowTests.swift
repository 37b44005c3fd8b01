import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

/// Rows are written by hand: byte for byte what the generated messages would write.
@Suite struct RowTests {
    @Test func `written rows of an update are those of the generated message`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        for round in 0..<300 {
            let rows = messages.rows()
            var update = WireUpdate()
            update.epoch = UInt64(round)
            update.sequence = 7
            let written = Frame.encode(Outgoing(update, 0..<rows.count, of: EncodedRows(rows)))
            update.rows = rows.map { WireRow($0) }
            #expect(written == Frame.encode(update), "seed \(seed), round \(round)")
        }
    }

    @Test func `written rows of a snapshot are read as those of the generated message`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        for round in 0..<300 {
            let rows = messages.rows()
            var chunk = WireSnapshotChunk()
            chunk.request = UInt64(round)
            chunk.topic = "board"
            chunk.last = true
            chunk.time = 1.5
            var frame = WireBrokerFrame()
            frame.epoch = UInt64(round)
            frame.snapshot = chunk
            let written = Frame.encode(Outgoing(frame, 0..<rows.count, of: EncodedRows(rows)))
            frame.snapshot.rows = rows.map { WireRow($0) }
            let header = Frame.encode(WireBrokerFrame())
            let read = try WireBrokerFrame(serializedBytes: Array(written.dropFirst(header.count)))
            // As bytes: some numbers are none, and those equal nothing.
            #expect(
                try read.serializedBytes() as [UInt8] == frame.serializedBytes(),
                "seed \(seed), round \(round)"
            )
        }
    }

    @Test func `a part of the rows is written as that part alone`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        let rows = (0..<40).map { _ in messages.plainRow() }
        let all = EncodedRows(rows)
        for range in [0..<0, 0..<1, 0..<40, 3..<4, 17..<39, 39..<40] {
            #expect(
                Frame.encode(Outgoing(WireUpdate(), range, of: all))
                    == Frame.encode(
                        Outgoing(WireUpdate(), 0..<range.count, of: EncodedRows(rows[range]))
                    ),
                "seed \(seed), rows \(range)"
            )
        }
    }
}

extension RandomMessages {
    fileprivate mutating func rows() -> [Row] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in plainRow() }
    }
}

extension EncodedRows {
    fileprivate init(_ rows: some Sequence<Row>) {
        self.init()
        for row in rows { append(row) }
    }
}

extension WireRow {
    /// The generated message of a row, field by field.
    fileprivate init(_ row: Row) {
        self.init()
        task = WireTaskRef(row.task.id)
        sequence = row.sequence
        if row.isDescribed { description_p = WireRowDescription(row) }
        progress = WireRowProgress(row)
    }
}

extension WireRowDescription {
    fileprivate init(_ row: Row) {
        self.init()
        let words = row.task.description
        if let above = row.task.parent { parent = WireTaskRef(above) }
        if let root = row.task.job { job = WireTaskRef(root) }
        key = row.key
        if let number = row.slot { slot = UInt32(clamping: number) }
        if let number = row.place { place = UInt32(clamping: number) }
        if let number = row.cell { cell = UInt32(clamping: number) }
        title = words.title
        unit = words.unit
        style = words.style == .spinner ? .spinner : .bar
        background = words.isBackground
        tint = words.tint
        cancellable = words.isCancellable
        pausable = words.isPausable
        consequence = words.consequence
        if row.task.parent != nil { share = words.effectiveShare }
        attempt = row.task.attempt
        if let owner = row.process { process = owner }
        if let expected = words.expectedChildren { expectedChildren = expected }
        depth = UInt32(clamping: row.task.depth)
        if let gap = words.expectedGap { expectedGap = gap }
        orphan = row.task.parent == nil && words.parent != .none
        earlierAttempts = UInt32(clamping: row.task.earlierAttempts)
    }
}

extension WireRowProgress {
    fileprivate init(_ row: Row) {
        self.init()
        let task = row.task
        state = task.state.wire
        stalled = task.isStalled
        silent = task.isSilent
        needsAttention = task.needsAttention
        indeterminate = task.isIndeterminate
        totalIsEstimate = task.description.totalIsEstimate
        fraction = task.fraction
        displayFraction = row.displayFraction
        completed = task.amounts.completed
        if let whole = task.amounts.total { total = whole }
        if let units = row.rate { rate = units }
        if let left = row.secondsLeft { secondsLeft = left }
        begun = row.begun
        if let end = row.ended { ended = end }
        active = row.active
        advanced = row.advanced
        detail = task.detail
        reason = task.reason
        if let status = row.exitStatus { exitStatus = status }
        if let signal = row.exitSignal { exitSignal = signal }
        counts = WireCounts(task.counts)
        attention = WireCounts.count(task.attention)
        childrenLeftOut = WireCounts.count(task.foldedChildren)
        note = task.note
        sums = task.sums.prefix(UnitSum.limit).map { sum in
            .with {
                $0.unit = sum.unit
                $0.completed = sum.completed
                $0.total = sum.total
            }
        }
        if let before = row.totalBefore { totalBefore = before }
    }
}

extension WireCounts {
    fileprivate init(_ counts: StateCounts) {
        self.init()
        waiting = WireCounts.count(counts.waiting)
        running = WireCounts.count(counts.running)
        succeeded = WireCounts.count(counts.succeeded)
        failed = WireCounts.count(counts.failed)
        cancelled = WireCounts.count(counts.cancelled)
        lost = WireCounts.count(counts.lost)
    }
}
