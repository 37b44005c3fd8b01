import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("One topic")
struct TopicFollowerTests {
    private var now = Moment(nanoseconds: 0)
    private var jitter = Jitter(seed: 1)
    private var revision: UInt64 = 0
    private var topic = TopicFollower(.board(page: 0), isOnce: false, at: Moment(nanoseconds: 0))
    private let task = SimulatedBroker.id(1)

    @Test("the beat that answers the subscription makes it ask for the snapshot at once")
    mutating func beatLeadsToRequest() {
        #expect(!topic.wantsRequest(at: now))
        receive(sequence: 10, previous: 10)
        #expect(topic.wantsRequest(at: now))
    }

    @Test("an update that came before an older snapshot wins over it")
    mutating func bufferedUpdateWins() throws {
        receive(sequence: 10, previous: 10)
        ask()
        receive(sequence: 11, previous: 10, rows: [row(completed: 8)])
        give(stamp: 10, rows: [row(completed: 3, sequence: 9, isWhole: true)])
        #expect(topic.held?.rows[task]?.task.completed == 8)
        #expect(topic.held?.rows[task]?.task.title == "t")
    }

    @Test("a snapshot that is newer than an update wins over it")
    mutating func newerSnapshotWins() {
        receive(sequence: 10, previous: 10)
        ask()
        receive(sequence: 11, previous: 10, rows: [row(completed: 8)])
        receive(sequence: 12, previous: 11, rows: [row(completed: 9)])
        give(stamp: 12, rows: [row(completed: 9, sequence: 12, isWhole: true)])
        #expect(topic.held?.rows[task]?.task.completed == 9)
    }

    @Test("a picture is complete only when updates have reached the last stamp")
    mutating func completeWhenReached() {
        receive(sequence: 10, previous: 10)
        ask()
        give(stamp: 12, rows: [row(completed: 9, sequence: 12, isWhole: true)])
        #expect(topic.held == nil)
        receive(sequence: 12, previous: 10, rows: [row(completed: 9)])
        #expect(topic.held?.rows[task]?.task.completed == 9)
    }

    @Test("a task removed while the snapshot is under way does not come back with it")
    mutating func removedWhilePulling() {
        receive(sequence: 10, previous: 10)
        ask()
        receive(sequence: 11, previous: 10, removed: [task])
        give(stamp: 10, rows: [row(completed: 3, sequence: 9, isWhole: true)])
        #expect(topic.held?.rows.isEmpty == true)
    }

    @Test("a gap makes it ask again after a while; what is shown stays meanwhile")
    mutating func gap() {
        becomeLive()
        receive(sequence: 15, previous: 14, rows: [row(completed: 9)])
        #expect(topic.held?.rows[task]?.task.completed == 3)
        #expect(!topic.wantsRequest(at: now))
        now = now.advanced(bySeconds: 0.2)
        #expect(topic.wantsRequest(at: now))
        ask()
        give(stamp: 15, rows: [row(completed: 9, sequence: 15, isWhole: true)])
        #expect(topic.held?.rows[task]?.task.completed == 9)
    }

    @Test("a beat beyond what is held is a gap, one below it too", arguments: [UInt64(11), 9])
    mutating func beatIsGap(sequence: UInt64) {
        becomeLive()
        receive(sequence: sequence, previous: sequence)
        now = now.advanced(bySeconds: 0.2)
        #expect(topic.wantsRequest(at: now))
    }

    @Test("an update that is repeated is no gap")
    mutating func repeated() {
        becomeLive()
        receive(sequence: 11, previous: 10, rows: [row(completed: 4)])
        receive(sequence: 12, previous: 11, rows: [row(completed: 5)])
        receive(sequence: 11, previous: 10, rows: [row(completed: 4)])
        now = now.advanced(bySeconds: 1)
        #expect(!topic.wantsRequest(at: now))
        #expect(topic.held?.rows[task]?.task.completed == 5)
    }

    @Test("a part of a task that is not known makes it ask again")
    mutating func incompleteRow() {
        becomeLive()
        var stranger = row(completed: 1)
        stranger.task = WireTaskRef(SimulatedBroker.id(2))
        receive(sequence: 11, previous: 10, rows: [stranger])
        now = now.advanced(bySeconds: 0.2)
        #expect(topic.wantsRequest(at: now))
    }

    @Test("of a host that is not heard what has not ended is silent, until it is told anew")
    mutating func unheard() throws {
        receive(sequence: 10, previous: 10)
        ask()
        var ended = row(completed: 4, sequence: 9, isWhole: true)
        ended.task = WireTaskRef(SimulatedBroker.id(2))
        ended.progress.state = .succeeded
        give(stamp: 10, rows: [row(completed: 3, sequence: 9, isWhole: true), ended])
        let before = topic.revision
        receive(sequence: 10, previous: 10, unheard: true)
        #expect(topic.held?.rows[task]?.task.isSilent == true)
        #expect(topic.held?.rows[SimulatedBroker.id(2)]?.task.isSilent == false)
        let once = topic.revision
        #expect(once > before)
        receive(sequence: 10, previous: 10, unheard: true)
        #expect(topic.revision == once)
        // The host is heard again: the beat has another sequence, so the rows are asked for.
        receive(sequence: 12, previous: 12)
        now = now.advanced(bySeconds: 0.2)
        #expect(topic.wantsRequest(at: now))
        ask()
        give(stamp: 12, rows: [row(completed: 5, sequence: 12, isWhole: true), ended])
        #expect(topic.held?.rows[task]?.task.isSilent == false)
    }

    @Test("where only the job is known, what was seen below it stays")
    mutating func onlyJob() {
        becomeLive()
        receive(sequence: 12, previous: 12)
        now = now.advanced(bySeconds: 0.2)
        ask()
        give(stamp: 12, rows: [], unheard: true)
        #expect(topic.held?.rows[task]?.task.completed == 3)
    }

    @Test("what a row leaves out is as before")
    mutating func absentParts() {
        becomeLive()
        receive(sequence: 11, previous: 10, rows: [row(completed: 4)])
        #expect(topic.held?.rows[task]?.task.title == "t")
        #expect(topic.held?.rows[task]?.task.completed == 4)
    }

    @Test("a chunk without an answer is asked for again where it stopped")
    mutating func chunkAgain() {
        receive(sequence: 10, previous: 10)
        ask()
        give(stamp: 10, rows: [row(completed: 3, sequence: 9, isWhole: true)], cursor: [1, 2])
        let second = topic.snapshotRequest(2, at: now)
        #expect(second.cursorBytes == [1, 2])
        now = now.advanced(bySeconds: 2)
        #expect(topic.nextTime == now)
        topic.requestFailed(2, at: now, retryAfter: 0)
        #expect(topic.snapshotRequest(3, at: now).cursorBytes == [1, 2])
    }

    @Test("beyond its bound rows are counted, not kept")
    mutating func rowLimit() {
        topic.rowLimit = 2
        receive(sequence: 10, previous: 10)
        ask()
        give(stamp: 10, rows: rows(1...5))
        #expect(topic.held?.rows.count == 2)
        #expect(topic.held?.rowsLeftOut == 3)
    }

    @Test("a bound that falls while a snapshot is pulled counts for what comes")
    mutating func lowerRowLimit() {
        topic.rowLimit = 3
        receive(sequence: 10, previous: 10)
        ask()
        give(stamp: 10, rows: rows(1...2), cursor: [1])
        topic.rowLimit = 2
        ask()
        give(stamp: 10, rows: rows(3...4))
        #expect(topic.held?.rows.count == 2)
        #expect(topic.held?.rowsLeftOut == 2)
    }

    // MARK: - Frames

    /// One of each of these tasks.
    private func rows(_ tasks: ClosedRange<UInt64>) -> [WireRow] {
        tasks.map { index in
            var row = row(completed: 0, sequence: 9, isWhole: true)
            row.task = WireTaskRef(SimulatedBroker.id(index))
            return row
        }
    }

    private mutating func becomeLive() {
        receive(sequence: 10, previous: 10)
        ask()
        give(stamp: 10, rows: [row(completed: 3, sequence: 9, isWhole: true)])
    }

    private mutating func receive(
        sequence: UInt64,
        previous: UInt64,
        rows: [WireRow] = [],
        removed: [TaskID] = [],
        unheard: Bool = false
    ) {
        var update = WireUpdate()
        update.epoch = 1
        update.sequence = sequence
        update.previous = previous
        update.rows = rows
        update.unheard = unheard
        update.removed = removed.map { id in
            var removed = WireRemoved()
            removed.task = WireTaskRef(id)
            return removed
        }
        _ = topic.receive(update, at: now, jitter: &jitter, revision: &revision)
    }

    private mutating func ask() {
        _ = topic.snapshotRequest(1, at: now)
    }

    private mutating func give(
        stamp: UInt64,
        rows: [WireRow],
        cursor: [UInt8] = [],
        unheard: Bool = false
    ) {
        var chunk = WireSnapshotChunk()
        chunk.request = 1
        chunk.sequence = stamp
        chunk.rows = rows
        chunk.unheard = unheard
        chunk.cursorBytes = cursor
        chunk.last = cursor.isEmpty
        _ = topic.receive(chunk, epoch: 1, at: now, revision: &revision)
    }

    private func row(completed: Int64, sequence: UInt64 = 0, isWhole: Bool = false) -> WireRow {
        var row = WireRow()
        row.task = WireTaskRef(task)
        row.sequence = sequence
        if isWhole { row.description_p.title = "t" }
        row.progress.completed = completed
        return row
    }
}
