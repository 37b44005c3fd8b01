import ArgumentParser
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

@Suite("Commands to a task")
struct TaskCommandTests {
    private let task = TaskID(index: 1, session: SessionID(rawValue: 7))

    private func answer(_ outcome: SessionAnswer.Outcome, _ text: String = "") -> SessionAnswer {
        SessionAnswer(
            session: SessionID(rawValue: 7),
            process: .init(host: "build\u{1B}[2J", pid: 42, command: "encode"),
            outcome: outcome,
            text: text
        )
    }

    private func code(_ outcomes: [SessionAnswer.Outcome]) -> Int32? {
        AnswerVerdict(.cancel, outcomes.map { answer($0) }, task: task, title: "T").failure?.code
            .rawValue
    }

    @Test("one line for each session, without what a terminal would obey")
    func lines() {
        let verdict = AnswerVerdict(
            .cancel,
            [answer(.accepted), answer(.refused, "in the\nmiddle"), answer(.noAnswer)],
            task: task,
            title: "T"
        )
        #expect(
            verdict.lines == [
                "accepted: process 42 on build [2J",
                "refused: process 42 on build [2J: in the middle",
                "no answer: process 42 on build [2J",
            ]
        )
    }

    @Test("the broker's own answer is its words")
    func brokersAnswer() {
        var own = answer(.gone, "No process works on it any more.")
        own.session = nil
        own.process = nil
        let verdict = AnswerVerdict(.cancel, [own], task: task, title: "T")
        #expect(verdict.lines == ["gone: No process works on it any more."])
    }

    @Test("a dismissal names what it was, and what the broker says beyond that")
    func dismissal() {
        func line(_ outcome: SessionAnswer.Outcome, _ text: String) -> [String] {
            let own = SessionAnswer(session: nil, process: nil, outcome: outcome, text: text)
            return AnswerVerdict(.dismiss, [own], task: task, title: "T").lines
        }
        #expect(line(.accepted, "Dismissed.") == ["dismissed: T (\(task))"])
        #expect(
            line(.accepted, "Dismissed; it leaves later.") == [
                "dismissed: T (\(task)): it leaves later."
            ]
        )
        #expect(line(.refused, "It runs.") == ["refused: T (\(task)): It runs."])
    }

    @Test("the worst answer decides: 77, 75, 69, 0")
    func codes() {
        #expect(code([.accepted, .accepted]) == nil)
        #expect(code([.accepted, .gone]) == 69)
        #expect(code([.gone, .noAnswer, .accepted]) == 75)
        #expect(code([.noAnswer, .refused, .gone]) == 77)
        #expect(code([.accepted, .unsupported]) == 77)
        #expect(code([]) == 75)
    }

    @Test("no such task, or several: 65; no broker: 69; no answer in time: 75")
    func findingFails() {
        func code(_ code: FollowError.Code) -> Int32 {
            CommandFailure(FollowError(code, "")).code.rawValue
        }
        #expect(code(.noSuchTask) == 65 && code(.ambiguous) == 65)
        #expect(code(.noBroker) == 69 && code(.timedOut) == 75)
    }

    @Test("only y and yes are a yes")
    func confirmation() {
        for line in ["y", "Y", "yes", " YES "] { #expect(Confirmation.meansYes(line)) }
        for line in [nil, "", "n", "yess", "ja", "y y"] { #expect(!Confirmation.meansYes(line)) }
    }

    @Test("the question names the task and what is lost, and obeys neither")
    func question() {
        let question = Confirmation(title: "Copy\u{7}", consequence: "half a\ncopy")
        #expect(question.question == "Cancel \"Copy \"? This would be lost: half a copy [y/N] ")
        #expect(question.impossible.code == .noPermission)
        #expect(question.impossible.sentence.contains("--yes"))
    }

    @Test("a timeout outside 0 to 600 s is refused", arguments: ["0", "-1", "601", "nan"])
    func timeout(seconds: String) async {
        await #expect(throws: (any Error).self) {
            try await CancelCommand.asyncParse(["a-task", "--timeout=\(seconds)"])
        }
    }
}
