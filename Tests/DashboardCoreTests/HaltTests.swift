import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// I-12 to I-14: people can halt the work, and know what they do.
@Suite("Halting from the keyboard")
struct HaltTests {
    private func stage(_ change: (inout TaskSnapshot) -> Void = { _ in }) -> Stage {
        var stage = Stage()
        stage.report(.job(1, "Import", change), .job(2, "Other"))
        return stage
    }

    private func commands(_ stage: Stage) -> [(TaskRequest, TaskID)] {
        stage.actions.compactMap { action in
            if case .perform(_, let verb, let task) = action { (verb, task) } else { nil }
        }
    }

    @Test("I-14: x and Enter at once leaves the task running")
    func keepGoingIsPreselected() {
        var stage = stage()
        stage.type("x")
        #expect(stage.screen.contains("[Keep Going]"))
        stage.press(.enter)
        #expect(commands(stage).isEmpty)
        #expect(stage.screen.contains("goes on"))
    }

    @Test("I-12: x, right, Enter asks the task to stop")
    func cancel() {
        var stage = stage()
        stage.type("x")
        stage.press(.right, .enter)
        #expect(commands(stage).map(\.0) == [.cancel])
        #expect(commands(stage).map(\.1) == [.number(1)])
    }

    @Test("I-12: a task that takes no request to stop says so")
    func notCancellable() {
        var stage = stage { $0.options.isCancellable = false }
        stage.type("x")
        #expect(stage.model.dialog == nil)
        #expect(stage.screen.contains("does not take a request to stop"))
    }

    @Test("I-12: a part that takes none says whether its job does, or that nobody has begun it")
    func notCancellablePart() {
        var stage = Stage(columns: 120)
        let job = TaskSnapshot.job(1, "Import") { $0.counts.running = 2 }
        stage.report(
            job,
            .child(11, of: job, "Part", place: 1) { $0.options.isCancellable = false },
            .child(12, of: job, "Rest", place: 2) {
                $0.options.isCancellable = false
                $0.state = .waiting
                $0.process = nil
            }
        )
        stage.press(.enter, .down)
        stage.type("x")
        #expect(stage.screen.contains("does not take a request to stop; its job does"))
        stage.press(.down)
        stage.type("x")
        #expect(stage.screen.contains("\"Rest\" cannot be cancelled: nobody has begun it"))
    }

    @Test("I-13: where cancelling loses something and the task can pause, pausing is offered")
    func pauseInstead() {
        var stage = stage {
            $0.options.isPausable = true
            $0.options.consequence = "12,400 imported rows will be rolled back"
        }
        stage.type("x")
        #expect(stage.screen.contains("Pause Instead"))
        // Cancelling is where it is without the offer.
        stage.press(.right)
        #expect(stage.screen.contains("[Cancel Task]"))
        stage.press(.right)
        #expect(stage.screen.contains("[Pause Instead]"))
        stage.press(.enter)
        #expect(commands(stage).map(\.0) == [.pause])
    }

    @Test("I-13: p pauses what can pause and resumes what is paused")
    func pause() {
        var stage = stage { $0.options.isPausable = true }
        stage.type("p")
        stage.change(.number(1)) { $0.state = .paused }
        stage.type("p")
        #expect(commands(stage).map(\.0) == [.pause, .resume])
        stage.press(.down)
        stage.type("p")
        #expect(stage.screen.contains("\"Other\" cannot pause"))
    }

    @Test("I-14: the question names the task and what is lost, or that this is not known")
    func consequence() {
        var known = stage { $0.options.consequence = "12,400 imported rows will be rolled back" }
        known.type("x")
        #expect(known.screen.contains("Cancel \"Import\"?"))
        #expect(known.screen.contains("12,400 imported rows will be rolled back"))
        var unknown = stage()
        unknown.type("x")
        #expect(unknown.screen.contains("It has not said what would be lost."))
    }

    @Test("I-14: a task that ends while its dialog is open closes the dialog")
    func endsMeanwhile() {
        var stage = stage()
        stage.type("x")
        stage.change(.number(1)) { $0.state = .succeeded }
        #expect(stage.model.dialog == nil)
        #expect(stage.screen.contains("\"Import\" has ended"))
        stage.press(.right, .enter)
        #expect(commands(stage).isEmpty)
    }

    @Test("I-14: a successor in the slot is not hit by the dialog of the former task")
    func successorAfterDialog() {
        var stage = stage()
        stage.type("x")
        stage.tasks[.number(1)] = nil
        stage.report(.job(3, "Successor", slot: 1))
        #expect(stage.model.dialog == nil)
        stage.press(.right, .enter)
        #expect(commands(stage).isEmpty)
    }

    @Test(
        "I-14: a key meant for a task never hits its successor in the same slot",
        arguments: ["x", "p", "d"]
    )
    func successorBeforeKey(key: String) {
        var stage = stage { $0.options.isPausable = true }
        stage.press(.down, .up)
        stage.tasks[.number(1)] = nil
        stage.report(.job(3, "Successor", slot: 1) { $0.options.isPausable = true })
        stage.type(key)
        #expect(stage.model.dialog == nil)
        #expect(commands(stage).isEmpty)
        #expect(stage.screen.contains("this row now shows \"Successor\""))
    }

    @Test(
        "I-14: the request goes to the task of the dialog though the person has moved on by mouse"
    )
    func boundToTask() {
        var stage = stage()
        stage.type("x")
        stage.click(column: 10, row: 2)
        stage.press(.right, .enter)
        #expect(commands(stage).map(\.1) == [.number(1)])
    }

    @Test("I-12: the row says cancelling, and after 10 s since when it was asked")
    func noAnswer() {
        var stage = stage()
        stage.change(.number(1)) { $0.state = .cancelling }
        #expect(stage.screen.contains("cancelling"))
        stage.wait(10)
        #expect(stage.screen.contains("asked 10 s ago, goes on"))
        #expect(stage.model.nextFrame(after: stage.now) != nil)
        // Also for who has looked at another job meanwhile.
        stage.report(
            .job(2, "Other") { $0.counts.running = 1 },
            .job(3, "Far", slot: 200) { $0.counts.running = 1 }
        )
        stage.press(.end, .enter, .escape, .home)
        stage.wait(10)
        stage.deliver()
        #expect(stage.screen.contains("asked 20 s ago, goes on"), "\(stage.screen)")
    }

    @Test("I-12: what the sessions answered is said")
    func answers() {
        var stage = stage()
        stage.type("x")
        stage.press(.right, .enter)
        guard case .perform(let request, _, _)? = stage.actions.last else {
            Issue.record("nothing was asked")
            return
        }
        let answers = [SessionAnswer.Outcome.accepted, .gone, .accepted].map {
            SessionAnswer(outcome: $0)
        }
        stage.give(.answered(request: request, .success(answers)))
        #expect(stage.screen.contains("cancel \"Import\": 2 accepted, 1 its process is gone"))
    }

    @Test("d dismisses what has ended and nothing else")
    func dismiss() {
        var stage = stage()
        stage.type("d")
        #expect(commands(stage).isEmpty)
        stage.change(.number(1)) { $0.state = .succeeded }
        stage.type("d")
        #expect(commands(stage).map(\.0) == [.dismiss])
    }

    @Test("d asks before it takes trouble off the board, and Enter at once changes nothing")
    func dismissTrouble() {
        var stage = stage()
        stage.change(.number(1)) {
            ($0.state, $0.needsAttention, $0.reason) = (.failed, true, "no space left")
            $0.attentionBelow = 2
        }
        stage.type("d")
        for words in [
            "Dismiss \"Import\"?", "Failed: no space left.", "2 tasks below it need attention.",
            "[Keep It]",
        ] {
            #expect(stage.screen.contains(words), "\(stage.screen)")
        }
        stage.press(.enter)
        #expect(commands(stage).isEmpty)
        stage.type("d")
        stage.press(.right, .enter)
        #expect(commands(stage).map(\.0) == [.dismiss])
    }

    @Test("why a task cannot pause, and what can be done about one that has not ended, is true")
    func reasons() {
        var stage = Stage(columns: 120)
        let job = TaskSnapshot.job(1, "Import") { $0.options.isCancellable = false }
        stage.report(job, .job(2, "Other"))
        stage.type("d")
        let program = "its program does not take a request to"
        #expect(stage.screen.contains("\"Import\" has not ended; \(program) stop"))
        stage.type("p")
        #expect(stage.screen.contains("\"Import\" cannot pause: \(program) pause"))
        stage.press(.down)
        stage.type("d")
        #expect(stage.screen.contains("\"Other\" has not ended; x asks it to stop"))
    }

    @Test(
        "while no broker answers nothing is asked, now or later, and it is said",
        arguments: "pxd"
    )
    func noBroker(key: Character) {
        var stage = stage { $0.options.isPausable = true }
        stage.connection = .reconnecting
        stage.deliver()
        stage.press(.character(key))
        #expect(stage.screen.contains("no broker answers"), "\(stage.screen)")
        stage.connection = .live
        stage.deliver()
        stage.type("x")
        stage.connection = .reconnecting
        stage.deliver()
        stage.press(.right, .right, .enter)
        #expect(stage.screen.contains("no broker answers"), "\(stage.screen)")
        #expect(commands(stage).isEmpty)
    }

    @Test("Read-only: neither p, x nor d does anything, and the footer offers none")
    func readOnly() {
        var stage = Stage { $0.readOnly = "started so" }
        stage.report(.job(1, "Import") { $0.options.isPausable = true })
        #expect(!stage.screen.contains("x cancel"))
        stage.type("xpd")
        #expect(commands(stage).isEmpty)
        #expect(stage.model.dialog == nil)
        #expect(stage.screen.contains("read-only"))
    }

    @Test("q and Ctrl-C leave from everywhere; Esc and q close the dialog without asking anything")
    func leaving() {
        var stage = stage()
        stage.type("x")
        stage.press(.interrupt)
        #expect(stage.actions.contains(.leave))
        stage.actions = []
        stage.press(.escape)
        stage.type("xq")
        #expect(stage.model.dialog == nil)
        #expect(commands(stage).isEmpty)
        stage.type("q")
        #expect(stage.actions.contains(.leave))
    }
}

@Suite("Dismissing all that has ended")
struct DismissAllTests {
    private func stage(_ count: Int) -> Stage {
        var stage = Stage()
        stage.report(
            (1...count).map { number in
                .job(number, "job \(number)") {
                    $0.state = number % 2 == 0 ? .running : .failed
                    $0.needsAttention = number % 2 == 1
                }
            }
        )
        return stage
    }

    private func dismissed(_ stage: Stage) -> [(request: Int, task: TaskID)] {
        stage.actions.compactMap { action in
            if case .perform(let request, .dismiss, let task) = action {
                (request, task)
            } else {
                nil
            }
        }
    }

    @Test("D asks once, with the number, and Enter at once keeps them")
    func asks() {
        var stage = stage(20)
        stage.type("D")
        #expect(stage.screen.contains("Dismiss 10 jobs that have ended?"), "\(stage.screen)")
        #expect(stage.screen.contains("10 of them need attention."))
        #expect(stage.screen.contains("[Keep Them]"))
        stage.press(.enter)
        #expect(dismissed(stage).isEmpty)
    }

    @Test("they are asked for a few at a time, and it is said how many have left")
    func all() {
        var stage = stage(160)
        stage.type("D")
        #expect(stage.screen.contains("Dismiss 80 jobs that have ended?"))
        stage.press(.right, .enter)
        #expect(dismissed(stage).count == 8)
        var answered = 0
        while answered < dismissed(stage).count {
            let outcome: SessionAnswer.Outcome = answered == 3 ? .refused : .accepted
            let request = dismissed(stage)[answered].request
            stage.give(.answered(request: request, .success([SessionAnswer(outcome: outcome)])))
            answered += 1
            #expect(dismissed(stage).count - answered <= 8)
        }
        #expect(Set(dismissed(stage).map(\.task)).count == 80)
        #expect(stage.screen.contains("dismissed 79 jobs, 1 not: refused"))
    }

    @Test("of what the filter hides nothing is dismissed")
    func filtered() {
        var stage = stage(20)
        stage.type("/job 3")
        stage.press(.enter)
        stage.type("D")
        #expect(stage.screen.contains("Dismiss 1 job that has ended and matches \"job 3\"?"))
    }

    @Test("nothing has ended, the picture is frozen, or read-only: it is said")
    func refused() {
        var stage = Stage()
        stage.report(.job(1, "Work"))
        stage.type("D")
        #expect(stage.screen.contains("no job has ended"))
        stage.type("fD")
        #expect(stage.screen.contains("the picture is frozen"))
        var viewer = Stage { $0.readOnly = "started so" }
        viewer.report(.job(1, "Work") { $0.state = .failed })
        viewer.type("D")
        #expect(viewer.screen.contains("read-only"))
        #expect(viewer.model.dialog == nil)
    }
}
