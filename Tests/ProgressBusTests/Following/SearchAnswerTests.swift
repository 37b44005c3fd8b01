import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Answers to a search, as a follower takes them")
struct SearchAnswerTests {
    private let task = TaskID(index: 1, session: SessionID(rawValue: 5))
    private let start = Moment(nanoseconds: 1_000_000_000)

    /// What comes of a search that is answered like this.
    private func outcome(_ answer: (inout WireFound) -> Void) -> InquiryResult? {
        var machine = FollowerMachine(
            hello: WireHello(),
            credential: [UInt8](repeating: 1, count: 16),
            isOnce: false,
            seed: 1,
            at: start
        )
        var frame = WireBrokerFrame()
        frame.epoch = 1
        frame.welcome = WireWelcome()
        machine.receive(frame, at: start)
        let search = TaskSearch("failed", in: task, after: task, backwards: true)
        machine.ask(9, .search(search), deadline: start.advanced(bySeconds: 3))
        machine.tick(at: start)
        for case .send(let asked) in machine.takeActions() {
            guard case .find(let find) = asked.body else { continue }
            #expect(find.text.isEmpty && find.search.filter == "failed" && find.search.backwards)
            #expect(find.search.job == WireTaskRef(task) && find.search.after == WireTaskRef(task))
            frame.found.request = find.request
        }
        answer(&frame.found)
        machine.receive(frame, at: start)
        for case .answer(9, let result) in machine.takeActions() { return result }
        return nil
    }

    @Test("the hits, how many there are, and where it ended")
    func hits() {
        var match = WireFoundTask()
        match.task = WireTaskRef(task)
        let result = outcome { [match] in
            $0.tasks = [match]
            $0.searched.hits = 41
            $0.searched.looked = 50_000
            $0.searched.reached = WireTaskRef(task)
        }
        guard case .hits(let hits)? = result else {
            Issue.record("no hits")
            return
        }
        #expect(hits.next.map(\.task) == [task] && hits.count == 41)
        #expect(hits.looked == 50_000 && hits.reached == task)
    }

    @Test("a broker that does not know the question: that is said, and not that there are no hits")
    func old() {
        guard case .failed(let error)? = outcome({ _ in }) else {
            Issue.record("it does not fail")
            return
        }
        #expect(error.code == .refused && error.description.contains("too old to search"))
    }
}
