import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Requests of viewers")
struct RequestTests {
    @Test("A request reaches the named tasks and everything unfinished below them")
    func reach() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin { $0.options.isCancellable = true }
        let child = stage.begin(under: job)
        let ended = stage.begin(under: job)
        stage.begin("running", under: ended)
        stage.end(ended)
        let other = stage.begin { $0.options.isCancellable = true }
        stage.request(.cancel, [job])
        #expect(stage.isAsked(.cancel, job))
        #expect(stage.isAsked(.cancel, child))
        #expect(!stage.isAsked(.cancel, other))
        #expect(stage.answers.map(\.outcome) == [.accepted])
        let late = stage.begin(under: job)
        #expect(stage.isAsked(.cancel, late), "what begins afterwards is asked too")
        try stage.checkFrames()
    }

    @Test("Below a task that cannot stop, where others did: what begins later is asked if it can")
    func lateBelowUnable() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let able = stage.begin(under: job) { $0.options.isCancellable = true }
        stage.request(.cancel, [job])
        #expect(stage.isAsked(.cancel, able) && !stage.isAsked(.cancel, job))
        let unable = stage.begin(under: job)
        let late = stage.begin(under: unable) { $0.options.isCancellable = true }
        #expect(stage.isAsked(.cancel, late) && !stage.isAsked(.cancel, unable))
        let isDue = stage.machine.handle(.cancel, of: unable, with: {}, at: stage.now)
        #expect(isDue, "a handler that comes after the request is called at once")
    }

    @Test("A task that cannot is unsupported, one that has ended is gone, and a verb unknown to us")
    func unsupported() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.request(.cancel, [job])
        stage.request(.dismiss, [job])
        #expect(!stage.isAsked(.cancel, job))
        stage.end(job)
        stage.request(.cancel, [job])
        #expect(stage.answers.map(\.outcome) == [.unsupported, .unsupported, .gone])
    }

    @Test("A handler's refusal holds for what is below it, another's acceptance wins in the answer")
    func refusal() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin { $0.options.isCancellable = true }
        let guarded = stage.begin(under: job) { $0.options.isCancellable = true }
        let below = stage.begin(under: guarded) { $0.options.isCancellable = true }
        _ = stage.machine.handle(
            .cancel,
            of: guarded,
            with: { throw RequestRefusal("writing the index") },
            at: stage.now
        )
        stage.request(.cancel, [job])
        #expect(stage.isAsked(.cancel, job))
        #expect(!stage.isAsked(.cancel, guarded))
        #expect(!stage.isAsked(.cancel, below))
        stage.request(.cancel, [guarded])
        #expect(stage.answers.map(\.outcome) == [.accepted, .refused])
        #expect(stage.answers.last?.text == "writing the index")
    }

    @Test("A request that arrives twice is done once and answered twice")
    func repeated() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        _ = stage.machine.handle(.cancel, of: job, with: {}, at: stage.now)
        stage.request(.cancel, [job], number: 5)
        stage.request(.cancel, [job], number: 5)
        #expect(stage.answers.map(\.delivery) == [5, 5])
        #expect(stage.delivered == 1)
    }

    @Test("Another broker's requests are done, whatever number the former one gave to its own")
    func anotherBroker() {
        var stage = Stage()
        stage.connect(epoch: 1)
        let job = stage.begin()
        _ = stage.machine.handle(.pause, of: job, with: {}, at: stage.now)
        _ = stage.machine.handle(.cancel, of: job, with: {}, at: stage.now)
        stage.request(.pause, [job], number: 1)
        stage.connect(epoch: 2)
        stage.request(.cancel, [job], number: 1, epoch: 2)
        #expect(stage.isAsked(.cancel, job))
        #expect(stage.answers.map(\.outcome) == [.accepted, .accepted])
    }

    @Test("A handler that answers when the broker is another one: that broker is told nothing")
    func lateAnswer() throws {
        var stage = Stage()
        stage.connect(epoch: 1)
        let job = stage.begin()
        _ = stage.machine.handle(.cancel, of: job, with: {}, at: stage.now)
        let plan = stage.machine.plan(.cancel, [job], number: 1)
        let former = try #require(plan)
        stage.connect(epoch: 2)
        _ = stage.machine.answered(former, former.callHandlers(), at: stage.now)
        stage.run()
        #expect(stage.isAsked(.cancel, job), "it was accepted all the same")
        #expect(stage.answers.isEmpty)
    }

    @Test("A task at a checkpoint holds while it is asked to, and its parent with it")
    func holding() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin { $0.options.isPausable = true }
        let children = (0..<2).map { _ in stage.begin(under: job) }
        stage.request(.pause, [job])
        #expect(stage.answers.map(\.outcome) == [.accepted])
        #expect(stage.state(of: job) == .running)
        let held = children.map { stage.machine.hold($0, at: stage.now) }
        #expect(held == [true, true])
        #expect(stage.state(of: children[0]) == .paused)
        #expect(stage.state(of: job) == .paused)
        let effects = stage.request(.resume, [job])
        #expect(Set(effects.released) == Set(children))
        for child in children { stage.machine.goOn(child, at: stage.now) }
        #expect(stage.state(of: children[0]) == .running)
        #expect(stage.state(of: job) == .running)
        let holdsAgain = stage.machine.hold(children[0], at: stage.now)
        #expect(!holdsAgain)
    }

    @Test("A cancel releases who holds, and the body of withChild is cancelled")
    func cancelHolders() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin {
            $0.options.isPausable = true
            $0.options.isCancellable = true
        }
        let isDue = stage.machine.setBody(job) {}
        stage.request(.pause, [job])
        let isHolding = stage.machine.hold(job, at: stage.now)
        #expect(!isDue && isHolding)
        let effects = stage.request(.cancel, [job])
        #expect(effects.released == [job])
        #expect(effects.cancelled.count == 1)
    }

    @Test("A handler that comes after the request is due at once, and makes its task able")
    func lateHandler() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin { $0.options.isCancellable = true }
        stage.request(.cancel, [job])
        let isDue = stage.machine.handle(.cancel, of: job, with: {}, at: stage.now)
        let other = stage.begin()
        let isOtherDue = stage.machine.handle(
            .pause,
            of: other,
            with: {},
            at: stage.now
        )
        #expect(isDue && !isOtherDue)
        #expect(stage.machine.tasks[other]?.options.isPausable == true)
    }
}

extension Stage {
    var answers: [WireCommandAnswer] {
        frames.compactMap {
            if case .commandAnswer(let answer)? = $0.body { answer } else { nil }
        }
    }

    var delivered: Int { deliveredCount }

    func isAsked(_ request: PendingRequests, _ index: UInt64) -> Bool {
        machine.tasks[index]?.requested(request) ?? false
    }

    func state(of index: UInt64) -> StatedState? { machine.tasks[index]?.state }

    /// A viewer's request arrives, and the handlers answer at once.
    @discardableResult
    mutating func request(
        _ verb: WireVerb,
        _ indices: [UInt64],
        number: UInt64? = nil,
        epoch: UInt64 = 1
    ) -> RequestEffects {
        let delivery = number ?? UInt64(frames.count + 100)
        answer(epoch: epoch) {
            $0.command.delivery = delivery
            $0.command.verb = verb
            $0.command.index = indices
        }
        var effects = RequestEffects()
        for delivery in deliveries {
            deliveredCount += 1
            let answers = delivery.callHandlers()
            let further = machine.answered(delivery, answers, at: now)
            effects.released += further.released
            effects.cancelled += further.cancelled
        }
        deliveries = []
        run()
        return effects
    }
}
