import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Detached tasks among those of sessions: parents, children, cancelling, leaving.
@Suite struct DetachedFamilyTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    private func stage(_ configuration: CoreConfiguration = CoreConfiguration()) -> Bus {
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Film")]
            $0.add(1, completed: 0, total: 10)
        }
        bus.pass(2.5, hearing: [worker, viewer])
        return bus
    }

    private func command(_ verb: WireVerb, _ target: TaskID) -> WireClientFrame.OneOf_Body {
        var command = WireCommandRequest()
        command.request = 77
        command.verb = verb
        command.target = WireTaskRef(target)
        command.timeout = 2_000
        return .command(command)
    }

    private func results(_ bus: Bus) -> [WireCommandResult] {
        bus.answers(to: viewer).compactMap {
            if case .commandResult(let result) = $0 { result } else { nil }
        }
    }

    private func begin(
        _ bus: inout Bus,
        _ script: inout Script,
        parent: String
    ) -> WireDetachedAnswer? {
        var begin = WireDetachedBegin()
        begin.title = "Part"
        begin.parent = parent
        return bus.ask(&script, .begin(begin))
    }

    @Test func aChildOfAnySessionsTaskCountsWithItsShareAndHasAPlace() throws {
        var bus = stage()
        var script = Script()
        for parent in [worker.task(1).description, "key:Film", "1", "Film"] {
            let answer = begin(&bus, &script, parent: parent)
            #expect(answer?.refusal == nil, "\(parent): \(answer?.sentence ?? "")")
        }
        let part = try bus.begin(&script, "Part") {
            $0.parent = worker.task(1).description
            $0.share = 6
            $0.total = 2
        }
        let below = try bus.begin(&script, "Below") { $0.parent = part.description }
        #expect(bus.ask(&script, .advance(part))?.refusal == nil)
        bus.pass()
        #expect(abs((bus.row(worker.task(1), asking: viewer)?.progress.fraction ?? 0) - 0.3) < 1e-9)
        let row = bus.row(part, asking: viewer)
        #expect(row?.description_p.place == 5)
        #expect(row?.description_p.share == 6)
        #expect(bus.row(below, asking: viewer)?.description_p.parent == WireTaskRef(part))
        #expect(bus.machine.job(of: below) == worker.task(1))
    }

    @Test func aParentThatIsUnknownAmbiguousOrHasEndedIsRefusedInWords() throws {
        var bus = stage()
        var script = Script()
        #expect(begin(&bus, &script, parent: "key:nobody")?.refusal == .unknownTask)
        let own = try bus.begin(&script, "Twin")
        // Both are the first of their session, and those have low numbers here.
        let ambiguous = begin(&bus, &script, parent: "1-0000000000")
        #expect(ambiguous?.refusal == .unknownTask)
        for id in [own, worker.task(1)] {
            #expect(ambiguous?.sentence.contains(id.description) == true)
        }
        let ended = try bus.begin(&script, "Ended")
        #expect(bus.ask(&script, .end(ended))?.refusal == nil)
        let answer = begin(&bus, &script, parent: ended.description)
        #expect(answer?.refusal == .taskEnded)
        #expect(answer?.sentence.contains("has ended: it has succeeded") == true)
        bus.control(
            worker,
            worker.endings(2, [worker.ending(worker.description(1, "Film"), .failed, reason: "x")])
        )
        #expect(begin(&bus, &script, parent: "Film")?.refusal == .taskEnded)
    }

    @Test func aParentThatMayBeOnItsWayToAYoungBrokerIsWaitedFor() throws {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        var script = Script()
        var begin = WireDetachedBegin()
        begin.title = "Part"
        begin.parent = worker.task(1).description
        let request = script.request(.begin(begin))
        #expect(bus.send(request) == [], "nobody knows yet")
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Film")]
        }
        #expect(bus.send(request).map(\.code) == [0])
        begin.parent = "never-there"
        let other = script.request(.begin(begin))
        #expect(bus.send(other) == [])
        bus.pass(2.5, hearing: [viewer, worker])
        #expect(bus.send(other).map(\.refusal) == [.unknownTask])
    }

    @Test func aViewerCancelsADetachedTaskAtOnceAndItsScriptLearnsSo() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Long")
        bus.pass()
        for verb in [WireVerb.pause, .resume] {
            bus.control(viewer, command(verb, id))
            #expect(results(bus).last?.outcome == .unsupported)
        }
        bus.control(viewer, command(.cancel, id))
        let result = try #require(results(bus).last)
        #expect(result.outcome == .accepted)
        #expect(result.session == 0)
        #expect(result.last)
        bus.pass()
        let row = bus.row(id, asking: viewer)
        #expect(row?.progress.state == .cancelled)
        #expect(row?.progress.reason == "cancelled by a viewer")
        let answer = bus.ask(&script, .advance(id))
        #expect(answer?.refusal == .taskEnded)
        #expect(answer?.sentence.contains("has been cancelled (cancelled by a viewer)") == true)
        // The broker after this one knows it too.
        var next = bus.restarted()
        #expect(next.ask(&script, .advance(id))?.refusal == .taskEnded)
    }

    @Test func cancellingASessionsTaskCancelsWhatIsDetachedBelowItAndAsksTheSession() throws {
        var bus = stage()
        var script = Script()
        let part = try bus.begin(&script, "Part") { $0.parent = "Film" }
        bus.pass()
        bus.control(viewer, command(.cancel, worker.task(1)))
        #expect(results(bus).map(\.outcome) == [.accepted])
        #expect(results(bus).map(\.asked) == [2])
        #expect(results(bus).last?.last == false, "the session is still asked")
        bus.pass()
        #expect(bus.row(part, asking: viewer)?.progress.state == .cancelled)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .cancelling)
        // What begins below it now is in vain, and its script learns so.
        let late = try bus.begin(&script, "Late") { $0.parent = "Film" }
        bus.pass()
        #expect(bus.ask(&script, .advance(late))?.refusal == .taskEnded)
    }

    @Test func whenItsParentFailsADetachedChildIsCancelledAndOneThatIsDetachedTakesItsOwnAlong()
        throws
    {
        var bus = stage()
        var script = Script()
        let part = try bus.begin(&script, "Part") { $0.parent = "Film" }
        let top = try bus.begin(&script, "Top")
        let below = try bus.begin(&script, "Below") { $0.parent = top.description }
        bus.pass()
        bus.control(
            worker,
            worker.endings(2, [worker.ending(worker.description(1, "Film"), .failed, reason: "x")])
        )
        #expect(bus.ask(&script, .end(top, .failed, "y"))?.refusal == nil)
        bus.pass()
        #expect(bus.row(part, asking: viewer)?.progress.state == .cancelled)
        #expect(bus.row(below, asking: viewer)?.progress.state == .cancelled)
        for id in [part, below] {
            let answer = bus.ask(&script, .advance(id))
            #expect(answer?.refusal == .taskEnded)
            #expect(answer?.sentence.contains("cancelled") == true, "\(answer?.sentence ?? "")")
        }
    }

    @Test func successWaitsForChildrenAndIsTheLastWordNevertheless() throws {
        var bus = stage()
        var script = Script()
        let top = try bus.begin(&script, "Top")
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(2, "Child", parent: top)]
        }
        bus.pass()
        #expect(bus.ask(&script, .end(top))?.refusal == nil)
        bus.pass()
        let waiting = bus.row(top, asking: viewer)
        #expect(waiting?.progress.state == .running)
        #expect(waiting?.progress.note == "waiting for 1 child")
        #expect(bus.ask(&script, .advance(top))?.refusal == .taskEnded)
        bus.control(
            worker,
            worker.endings(
                3,
                [worker.ending(worker.description(2, "Child", parent: top), .succeeded)]
            )
        )
        bus.pass()
        #expect(bus.row(top, asking: viewer)?.progress.state == .succeeded)
    }

    @Test func endedJobsLingerLeaveAndTakeAllButTheMemoryOfTheirRequestsFromTheJournal() throws {
        var configuration = CoreConfiguration()
        configuration.linger = 2
        var bus = stage(configuration)
        var script = Script()
        let top = try bus.begin(&script, "Top")
        let failed = try bus.begin(&script, "Failed")
        #expect(bus.ask(&script, .end(top))?.refusal == nil)
        #expect(bus.ask(&script, .end(failed, .failed, "why"))?.refusal == nil)
        bus.pass(1, hearing: [worker, viewer])
        #expect(bus.row(top, asking: viewer) != nil)
        bus.pass(2, hearing: [worker, viewer])
        #expect(bus.row(top, asking: viewer) == nil)
        #expect(bus.row(failed, asking: viewer) != nil, "until somebody dismisses it")
        bus.control(viewer, command(.dismiss, failed))
        #expect(bus.row(failed, asking: viewer) == nil)
        for entry in JournalEntry.compact(bus.journal) {
            if case .row(let reporter, _, _) = entry { #expect(reporter.session != Script.session) }
        }
    }
}
