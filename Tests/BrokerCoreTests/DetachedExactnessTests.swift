import BrokerCore
import BusProtocol
import TaskTree
import TestSupport
import Testing

/// Brokers die at any moment, answers get lost, requests are repeated: the sum stays exact.
@Suite struct DetachedExactnessTests {
    /// One request and whether its script has had an answer.
    private struct Call {
        let request: WireDetachedRequest
        let by: Int64
        var isAnswered = false
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func whateverIsRepeatedAndWhoeverDiesEachCallCountsOnce(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bus = Bus()
        var script = Script()
        let id = try bus.begin(&script, "Count")
        var calls = (0..<60).map { _ in
            let by = Int64.random(in: 1...9, using: &random)
            return Call(request: script.request(.advance(id, by: by)), by: by)
        }
        bus.isJournalQuick = false
        // What is on disk, and where a transaction may have ended since.
        var onDisk = bus.journal.count
        var ends: [Int] = []
        var kills = 0
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let number = Int.random(in: calls.indices, using: &random)
                let answers = bus.send(calls[number].request, over: UInt8(number))
                if answers.contains(where: { $0.code == 0 }) { calls[number].isAnswered = true }
                ends.append(bus.journal.count)
            case 6..<8:
                let before = bus.sent.count
                bus.finishJournal()
                for number in calls.indices {
                    let answers = bus.answers(
                        to: Route(bytes: [1, UInt8(number)]),
                        since: before
                    )
                    // Some get lost on the way.
                    guard !answers.isEmpty, Bool.random(using: &random) else { continue }
                    calls[number].isAnswered = true
                }
                onDisk = bus.journal.count
                ends = []
            case 8:
                bus.pass()
                ends.append(bus.journal.count)
            default:
                kills += 1
                let end = (ends + [onDisk]).randomElement(using: &random) ?? onDisk
                let now = bus.now
                bus = Bus(
                    journal: JournalEntry.compact(Array(bus.journal[..<end])),
                    ownSession: SessionID(rawValue: 1_000 + seed)
                )
                bus.now = now
                bus.isJournalQuick = false
                onDisk = bus.journal.count
                ends = []
            }
        }
        bus.finishJournal()
        bus.isJournalQuick = true
        // Answered ones may be repeated too, by somebody who was late.
        for call in calls where !call.isAnswered || Bool.random(using: &random) {
            #expect(bus.send(call.request).map(\.code) == [0])
        }
        let viewer = Client(2, viewer: true)
        bus.control(viewer, viewer.hello)
        bus.pass()
        let sum = calls.reduce(0) { $0 + $1.by }
        let answered = calls.count(where: \.isAnswered)
        let row = try bus.shown(id, to: viewer)
        #expect(
            row.progress.completed == sum,
            "seed \(seed), \(kills) kills, \(answered) of \(calls.count) answered before"
        )
    }
}
