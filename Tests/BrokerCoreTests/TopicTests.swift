import BrokerCore
import BusProtocol
import TaskTree
import TestSupport
import Testing

@Suite struct TopicTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    private func bus(tasks: Int, _ configuration: CoreConfiguration = CoreConfiguration()) -> Bus {
        var bus = Bus(configuration: configuration)
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
            for index in 0..<UInt64(tasks) {
                $0.descriptions.append(
                    worker.description(index + 2, "Task \(index)", parent: worker.task(1))
                )
                $0.add(index + 2, completed: 0, total: 100)
            }
        }
        bus.pass()
        return bus
    }

    @Test func `a line that a snapshot has is in no update after it`() throws {
        var bus = bus(tasks: 1)
        let topic = Topic.log(worker.task(1))
        bus.subscribe(topic)
        bus.report(worker) {
            $0.sequence = 2
            var line = WireLogLine()
            line.task = WireTaskRef(worker.task(1))
            line.text = "begun"
            $0.logs = [line]
        }
        var request = WireSnapshotRequest()
        request.request = 1
        request.topic = topic.name
        bus.control(viewer, .snapshot(request))
        guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else {
            Issue.record("no snapshot")
            return
        }
        bus.pass()
        let later = bus.published.filter {
            $0.topic == topic && $0.update.sequence > chunk.sequence
        }
        #expect(chunk.logs.map(\.text) == ["begun"])
        #expect(later.flatMap(\.update.logs).isEmpty)
    }

    @Test func `a snapshot pulled in small chunks has each task once, parents first`() {
        var bus = bus(tasks: 40)
        bus.report(worker) {
            $0.sequence = 2
            for index in 100..<UInt64(140) {
                $0.descriptions.append(
                    worker.description(
                        index,
                        "Deeper \(index)",
                        parent: worker.task(index % 40 + 2)
                    )
                )
            }
        }
        bus.pass()
        for size in [1, 2, 7, 80, 81, 82, 256] as [UInt32] {
            let rows = bus.rows(of: .job(worker.task(1)), asking: viewer, maxRows: size)
            #expect(rows.count == 81, "\(size) rows in a chunk")
            var seen: Set<UInt64> = []
            for row in rows {
                let parent = row.description_p.parent.index
                #expect(parent == 0 || seen.contains(parent), "\(size) rows in a chunk")
                #expect(seen.insert(row.task.index).inserted, "\(size) rows in a chunk")
            }
        }
    }

    @Test func `a task that leaves between two chunks is left out, and ends no snapshot`() {
        var bus = bus(tasks: 20)
        var request = WireSnapshotRequest()
        request.request = 1
        request.topic = Topic.job(worker.task(1)).name
        request.maxRows = 5
        bus.control(viewer, .snapshot(request))
        guard case .snapshot(let first)? = bus.answers(to: viewer).last else {
            Issue.record("no first chunk")
            return
        }
        // A keyframe without task 21: it is forgotten.
        bus.keyframe(worker, sequence: 2) {
            for index in 1...UInt64(20) { $0.add(index, completed: 1, total: 100) }
        }
        bus.pass()
        var rows = first.rows
        var last = first
        while !last.last, rows.count < 100 {
            request.cursorBytes = last.cursorBytes
            bus.control(viewer, .snapshot(request))
            guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else { break }
            last = chunk
            rows += chunk.rows
        }
        #expect(last.last)
        #expect(rows.map(\.task.index) == Array(1...20))
    }

    @Test func aSubscriptionIsAnsweredByABeatAndUpdatesNameTheirPredecessor() {
        var bus = bus(tasks: 3)
        let topic = Topic.job(worker.task(1))
        bus.subscribe(topic)
        let beat = bus.published.last
        #expect(beat?.topic == topic)
        #expect(beat?.update.sequence == beat?.update.previous)
        var last = beat?.update.sequence
        for step in 1...5 as ClosedRange<Int64> {
            bus.report(worker) {
                $0.sequence = UInt64(step) + 1
                $0.add(2, completed: step, total: 100)
            }
            bus.pass()
            let update = bus.published.last?.update
            #expect(update?.previous == last)
            #expect((update?.sequence ?? 0) > (last ?? 0))
            last = update?.sequence
        }
    }

    @Test func nothingIsPublishedThatNobodySubscribedTo() {
        var bus = bus(tasks: 3)
        bus.pass(3, hearing: [worker, viewer])
        #expect(bus.published.isEmpty)
    }

    @Test func aQuietTopicBeatsOnceASecond() {
        var bus = bus(tasks: 1)
        bus.subscribe(.board(page: 0))
        let before = bus.published.count
        bus.pass(5, hearing: [worker, viewer])
        #expect((4...6).contains(bus.published.count - before))
    }

    @Test func aLargeSnapshotComesInChunksThatTogetherHaveEveryRowOnce() {
        var bus = bus(tasks: 1_000)
        let rows = bus.rows(of: .job(worker.task(1)), asking: viewer, maxRows: 7)
        #expect(rows.count == 1_001)
        #expect(Set(rows.map { $0.task.index }).count == 1_001)
    }

    @Test func aStaleCursorIsRefusedInWords() {
        var bus = bus(tasks: 3)
        var request = WireSnapshotRequest()
        request.request = 3
        request.topic = Topic.job(worker.task(1)).name
        request.cursorBytes = Array("99:1".utf8)
        bus.control(viewer, .snapshot(request))
        guard case .refusal(let refusal)? = bus.answers(to: viewer).last else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.code == RefusalCode.staleCursor.rawValue)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aFollowerThatAppliesEveryUpdateSeesWhatASnapshotShows(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var bus = bus(tasks: 20)
        let topic = Topic.job(worker.task(1))
        bus.subscribe(topic)
        var shown: [WireTaskRef: WireRowProgress] = [:]
        for row in bus.rows(of: topic, asking: viewer) { shown[row.task] = row.progress }
        let first = bus.published.count
        var sequence: UInt64 = 2
        for _ in 0..<200 {
            bus.report(worker) {
                $0.sequence = sequence
                let index = UInt64.random(in: 2..<22, using: &generator)
                $0.add(index, completed: .random(in: 0...100, using: &generator), total: 100)
            }
            sequence += 1
            if Bool.random(using: &generator) { bus.pass() }
        }
        bus.pass()
        for (topicOf, update) in bus.published.dropFirst(first) where topicOf == topic {
            for row in update.rows { shown[row.task] = row.progress }
        }
        let now = bus.rows(of: topic, asking: viewer)
        #expect(now.count == 21)
        for row in now {
            #expect(
                shown[row.task]?.fraction == row.progress.fraction,
                "seed \(seed), task \(row.task.index)"
            )
            #expect(shown[row.task]?.completed == row.progress.completed, "seed \(seed)")
        }
    }

    @Test func aTaskIsFoundBySlotKeyAndIdPrefix() {
        let bus = bus(tasks: 2)
        let id = worker.task(1)
        #expect(bus.machine.find("1") == [id])
        #expect(bus.machine.find("key:Job") == [id])
        #expect(bus.machine.find("Job") == [id])
        #expect(bus.machine.find("id:\(id)") == [id])
        #expect(bus.machine.find(String(id.description.prefix(8))) == [id])
        #expect(bus.machine.find("key:nothing").isEmpty)
    }

    @Test func aTaskWhoseParentNobodyReportedIsShownAsAJobAfterAWhile() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        let nobody = TaskID(index: 1, session: SessionID(rawValue: 4_711))
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Lonely", parent: nobody)]
        }
        bus.pass(5, hearing: [worker, viewer])
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
        bus.pass(8, hearing: [worker, viewer])
        let rows = bus.rows(of: .board(page: 0), asking: viewer)
        #expect(rows.map(\.description_p.title) == ["Lonely"])
        #expect(rows.map(\.description_p.orphan) == [true])
    }

    @Test func `the more tasks need attention, the longer is the rest between two lists of them`() {
        var configuration = CoreConfiguration()
        configuration.attentionPerSecond = 10
        var bus = bus(tasks: 4, configuration)
        bus.subscribe(.attention)
        func fail(_ index: UInt64) {
            let row = worker.ending(
                worker.description(index, "Task", parent: worker.task(1)),
                .failed
            )
            bus.control(worker, worker.endings(index * 10, [row]))
        }
        func listed() -> [Int] {
            bus.published.filter { $0.topic == .attention }.map(\.update.attention.count)
        }
        for index: UInt64 in 2...4 { fail(index) }
        bus.pass(0.1, hearing: [worker, viewer])
        let first = listed()
        #expect(first.last == 3)
        fail(5)
        bus.pass(0.1, hearing: [worker, viewer])
        #expect(listed() == first, "three take 0.3 s")
        bus.pass(0.4, hearing: [worker, viewer])
        #expect(listed() == first + [4])
    }
}
