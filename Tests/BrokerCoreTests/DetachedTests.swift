import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Tasks of scripts: each request counts once, and what ends stays ended.
@Suite struct DetachedTests {
    let viewer = Client(2, viewer: true)

    private func stage(_ configuration: CoreConfiguration = CoreConfiguration()) -> Bus {
        var bus = Bus(configuration: configuration)
        bus.control(viewer, viewer.hello)
        // As long as a broker is young it does not say that there is no such parent.
        bus.pass(2.5, hearing: [viewer])
        return bus
    }

    @Test func aScriptBeginsAdvancesUpdatesAndEndsATaskWithoutAnySession() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Back up") {
            $0.total = 4
            $0.unit = "files"
            $0.key = "backup"
            $0.detail = "a.jpg"
        }
        #expect(id == Script.task(1))
        #expect(bus.ask(&script, .advance(id, by: 3))?.refusal == nil)
        bus.pass()
        let row = try bus.shown(id, to: viewer)
        #expect(row.progress.state == .running)
        #expect(row.progress.completed == 3)
        #expect(row.progress.total == 4)
        #expect(row.progress.detail == "a.jpg")
        #expect(row.description_p.key == "backup")
        #expect(row.description_p.slot == 1)
        #expect(row.description_p.attempt == 1)
        #expect(!row.description_p.hasProcess)
        #expect(row.description_p.cancellable && !row.description_p.pausable)

        let change = WireDetachedRequest.OneOf_Operation.update(id) {
            $0.completed = 1
            $0.total = -1
            $0.detail = ""
            $0.title = "Back up again"
        }
        #expect(bus.ask(&script, change)?.refusal == nil)
        bus.pass()
        let changed = try bus.shown(id, to: viewer)
        #expect(changed.progress.completed == 1)
        #expect(!changed.progress.hasTotal)
        #expect(changed.progress.detail.isEmpty)
        #expect(changed.description_p.title == "Back up again")

        #expect(bus.ask(&script, .end(id, .failed, "no space"))?.refusal == nil)
        let ended = try bus.shown(id, to: viewer)
        #expect(ended.progress.state == .failed)
        #expect(ended.progress.reason == "no space")
        bus.subscribe(.totals)
        bus.pass()
        #expect(bus.published.last?.update.totals.sessions == 0)
    }

    @Test func aRepeatedRequestIsCarriedOutOnceAndAnsweredTheSameEachTime() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Count")
        let request = script.request(.advance(id, by: 5))
        let first = bus.send(request)
        let entries = bus.journal.count
        #expect(first.count == 1)
        for route in 1...20 as ClosedRange<UInt8> {
            #expect(bus.send(request, over: route) == first)
        }
        #expect(bus.journal.count == entries)
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.completed == 5)
    }

    @Test func noAnswerIsGivenBeforeTheRequestIsOnDiskAndThenTheNewestConnectionHasIt() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Count")
        bus.isJournalQuick = false
        let request = script.request(.advance(id))
        #expect(bus.send(request, over: 1) == [])
        #expect(bus.send(request, over: 2) == [], "on its way to the disk, perhaps")
        let before = bus.sent.count
        bus.finishJournal()
        #expect(bus.answers(to: Route(bytes: [1, 1]), since: before) == [])
        #expect(bus.answers(to: Route(bytes: [1, 2]), since: before).map(\.code) == [0])
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.completed == 1)
    }

    @Test func nothingIsCarriedOutThatTheJournalHasNoRoomFor() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Count")
        bus.perform(bus.machine.journal(isFailing: true, isFull: true, now: bus.now))
        let request = script.request(.advance(id))
        #expect(bus.send(request).map(\.code) == [RefusalCode.busy.rawValue])
        bus.perform(bus.machine.journal(isFailing: false, isFull: false, now: bus.now))
        #expect(bus.send(request).map(\.code) == [0])
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.completed == 1)
    }

    @Test func aRequestThatWasRefusedHasChangedNothingAndIsLookedAtAnew() throws {
        var bus = stage()
        var script = Script()
        var begin = WireDetachedBegin()
        begin.title = "Part"
        begin.parent = "key:whole"
        let request = script.request(.begin(begin))
        #expect(bus.send(request).map(\.refusal) == [.unknownTask])
        let whole = try bus.begin(&script, "Whole") { $0.key = "whole" }
        let answer = bus.send(request)
        #expect(answer.map(\.refusal) == [nil])
        #expect(bus.machine.job(of: try #require(answer.first?.task.taskID())) == whole)
    }

    @Test func whatEndedIsRefusedInWordsThatSayHow() throws {
        var bus = stage()
        var script = Script()
        let states: [(WireStatedState, String, String)] = [
            (.succeeded, "", "it has succeeded"), (.failed, "no space", "no space"),
            (.cancelled, "not needed", "has been cancelled (not needed)"),
        ]
        for (state, reason, words) in states {
            let id = try bus.begin(&script, "Ends")
            #expect(bus.ask(&script, .end(id, state, reason))?.refusal == nil)
            #expect(bus.ask(&script, .end(id, state, reason))?.refusal == nil, "said again")
            let asked: [WireDetachedRequest.OneOf_Operation] = [
                .advance(id), .update(id), .end(id, .failed, "otherwise"),
            ]
            for operation in asked {
                let answer = bus.ask(&script, operation)
                #expect(answer?.refusal == .taskEnded)
                #expect(answer?.sentence.contains(words) == true, "\(answer?.sentence ?? "")")
                #expect(answer?.task.taskID() == id)
            }
        }
    }

    @Test func unknownTasksAndThoseOfOthersAreRefusedEachInItsWords() throws {
        var bus = stage()
        var script = Script()
        let worker = Client(1)
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Other")]
        }
        bus.pass()
        #expect(bus.ask(&script, .advance(Script.task(9)))?.refusal == .unknownTask)
        #expect(bus.ask(&script, .advance(worker.task(1)))?.refusal == .notPermitted)
        #expect(bus.ask(&script, .advance(worker.task(2)))?.refusal == .unknownTask)
    }

    @Test func aNumberThatDoesNotFitIsRefusedAndNothingIsLost() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Many")
        #expect(bus.ask(&script, .advance(id, by: .max))?.refusal == nil)
        #expect(bus.ask(&script, .advance(id))?.refusal == .outOfRange)
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.completed == .max)
    }

    @Test func moreTasksThanTheLimitAreRefusedUntilSomeHaveLeft() throws {
        var configuration = CoreConfiguration()
        // Scripts without a known process are one owner, which leaves as much for others.
        configuration.detachedTasks = 6
        configuration.linger = 1
        var bus = stage(configuration)
        var script = Script()
        let ids = try (0..<3).map { try bus.begin(&script, "Task \($0)") }
        #expect(ids.count == 3)
        var begin = WireDetachedBegin()
        begin.title = "One too many"
        let answer = bus.ask(&script, .begin(begin))
        #expect(answer?.refusal == .quotaTasks)
        #expect(answer?.sentence.contains("3 detached tasks") == true)
        bus.control(Client(60), peer: 77, .detached(script.request(.begin(begin))))
        #expect(bus.machine.tables["detached tasks"] == 4, "another process has room")
        #expect(bus.ask(&script, .end(ids[0]))?.refusal == nil)
        bus.pass(1.2, hearing: [viewer])
        let next = try bus.begin(&script, "Fits")
        #expect(next == Script.task(5), "no number is given twice")
        #expect(bus.ask(&script, .advance(ids[0]))?.refusal == .unknownTask)
    }

    @Test func requestsAreForgottenTheOldestFirstBeyondTheLimitAndAllAfterAnHour() throws {
        var configuration = CoreConfiguration()
        configuration.detachedRequests = 10
        var bus = stage(configuration)
        var script = Script()
        let id = try bus.begin(&script, "Count")
        let requests = (0..<12).map { _ in script.request(.advance(id)) }
        for request in requests { _ = bus.send(request) }
        func kept() -> Int {
            JournalEntry.compact(bus.journal).count {
                if case .detachedRequest = $0 { true } else { false }
            }
        }
        #expect(kept() == 10)
        #expect(bus.send(requests[11]).map(\.code) == [0])
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.completed == 12)
        // Nobody repeats a request for an hour.
        bus.now = bus.now.advanced(bySeconds: 3_601)
        bus.pass(1.1)
        #expect(kept() == 0)
    }

    @Test func aBrokerWithNothingButDetachedTasksIsIdleASecondAfterTheLastRequest() throws {
        var bus = Bus()
        var script = Script()
        let id = try bus.begin(&script, "Waits")
        bus.pass()
        #expect(!bus.machine.isIdle)
        bus.pass(1.1)
        #expect(bus.machine.isIdle)
        _ = bus.ask(&script, .advance(id))
        bus.pass()
        #expect(!bus.machine.isIdle)
    }

    @Test func nobodyCanSpeakInTheNameOfTheBroker() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Mine")
        let thief = Client(session: Script.session, credential: Client(9).credential)
        bus.control(thief, thief.hello)
        guard case .refusal(let refusal)? = bus.answers(to: thief).last else {
            Issue.record("welcomed")
            return
        }
        #expect(refusal.code == RefusalCode.sessionTaken.rawValue)
        bus.control(thief, thief.endings(1, [thief.ending(thief.description(1, "X"), .failed)]))
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.state == .running)
    }

    @Test func aRequestWithoutAnOperationIsIgnored() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "A")
        var empty = script.request(.advance(id))
        empty.operation = nil
        #expect(bus.send(empty) == [])
    }
}
