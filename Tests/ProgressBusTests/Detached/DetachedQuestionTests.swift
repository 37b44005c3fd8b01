import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("A request about a detached task, until it is answered")
struct DetachedQuestionTests {
    private let task = TaskID(index: 1, session: SessionID(rawValue: 5))
    private let start = Moment(nanoseconds: 1_000_000_000)

    private let exchange: DetachedExchange

    init() throws {
        var advance = WireDetachedAdvance()
        advance.task = WireTaskRef(task)
        advance.by = 3
        exchange = DetachedExchange(
            .advance(advance),
            at: try BusEndpoint(parsing: "ipc:///nowhere")
        )
    }

    private func answer(_ fill: (inout WireDetachedAnswer) -> Void) -> WireBrokerFrame {
        var answer = WireDetachedAnswer()
        answer.requestIDBytes = exchange.id
        fill(&answer)
        var frame = WireBrokerFrame()
        frame.epoch = 1
        frame.detached = answer
        return frame
    }

    private func refusal(_ code: RefusalCode) -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = 1
        frame.refusal.code = code.rawValue
        frame.refusal.sentence = "why"
        return frame
    }

    @Test("It is said at once, and again unchanged every quarter of a second")
    func repetition() throws {
        var question = exchange.question
        let first = Frame.encode(question.frame)
        #expect(try Frame.decodeClient(first).detached.requestIDBytes == exchange.id)
        var times: [Double] = []
        for step in 0..<100 {
            let now = start.advanced(bySeconds: Double(step) / 100)
            guard question.isDue(at: now) else { continue }
            #expect(Frame.encode(question.frame) == first)
            question.sent(at: now)
            times.append(now.seconds(since: start))
        }
        #expect(times == [0, 0.25, 0.5, 0.75])
    }

    @Test("Where nobody takes it, it is due until somebody does, and known not to have been sent")
    func unsent() {
        var question = exchange.question
        #expect(question.isDue(at: start.advanced(bySeconds: 3)))
        #expect(!question.isSent)
        question.sent(at: start)
        #expect(question.isSent)
    }

    @Test("The answer with its id counts, another's does not")
    func answers() {
        let done = answer { $0.task = WireTaskRef(task) }
        #expect(exchange.answer(in: done) == .done(task, warning: nil))
        let other = answer {
            $0.task = WireTaskRef(task)
            $0.requestIDBytes = [UInt8](0x30...0x3f)
        }
        #expect(exchange.answer(in: other) == nil)
        let refused = answer {
            $0.code = RefusalCode.taskEnded.rawValue
            $0.sentence = "it has ended"
        }
        #expect(exchange.answer(in: refused) == .refused("it has ended"))
    }

    @Test(
        "A frame that is refused as such is refused; a broker that is busy or leaves is asked again"
    )
    func refusals() {
        #expect(exchange.answer(in: refusal(.tooLong)) == .refused("why"))
        #expect(exchange.answer(in: refusal(.busy)) == nil)
        #expect(exchange.answer(in: refusal(.stopping)) == nil)
    }
}
