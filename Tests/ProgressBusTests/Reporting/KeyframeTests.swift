import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Keyframes")
struct KeyframeTests {
    @Test("A subscription gets everything there is, in numbered chunks of which the last says so")
    func everything() throws {
        var stage = Stage()
        let job = stage.begin("Job", total: 9)
        let text = String(repeating: "y", count: 150)
        let children = (0..<3_000).map { stage.begin("\($0) \(text)", under: job) }
        stage.advance(job, by: 5)
        stage.connect()
        #expect(stage.reports.count > 1)
        #expect(stage.reports.allSatisfy { $0.keyframe == 1 })
        #expect(stage.reports.map(\.keyframeChunk) == (0..<UInt32(stage.reports.count)).map { $0 })
        #expect(stage.reports.map(\.keyframeLast).dropLast().allSatisfy { !$0 })
        #expect(stage.reports.last?.keyframeLast == true)
        let indices = stage.reports.flatMap(\.descriptions).map(\.index)
        #expect(indices == [job] + children)
        #expect(stage.reported(job) == 5)
        try stage.checkFrames()
    }

    @Test("A session without tasks sends an empty keyframe, so that a broker can stop waiting")
    func empty() throws {
        var stage = Stage()
        stage.connect()
        #expect(stage.reports.count == 1)
        #expect(stage.reports.first?.keyframeLast == true)
        try stage.checkFrames()
    }

    @Test("Every welcome gets one keyframe, and nothing but a welcome does")
    func oneForEachWelcome() {
        var stage = Stage()
        stage.begin("Job")
        stage.subscribe()
        stage.pass(milliseconds: 500)
        #expect(stage.reports.isEmpty, "nobody has said who he is")
        stage.welcome(epoch: 1)
        #expect(stage.reports.map(\.keyframe) == [1])
        stage.welcome(epoch: 1)
        stage.pass(milliseconds: 200)
        #expect(stage.reports.map(\.keyframe).max() == 2)
        stage.answer(epoch: 2) { $0.who = WireWho() }
        stage.pass(milliseconds: 200)
        #expect(stage.reports.map(\.keyframe).max() == 2)
        stage.welcome(epoch: 2)
        stage.pass(milliseconds: 200)
        #expect(stage.reports.filter { $0.keyframe == 3 }.flatMap(\.descriptions).count == 1)
        stage.unsubscribe()
        stage.connect(epoch: 3)
        stage.pass(milliseconds: 200)
        #expect(stage.reports.map(\.keyframe).max() == 4)
    }

    @Test("A welcome that comes before the subscription: the keyframe waits for it")
    func welcomeFirst() {
        var stage = Stage()
        stage.begin("Job")
        stage.machine.connected(at: stage.now)
        stage.run()
        stage.welcome()
        stage.pass(milliseconds: 100)
        #expect(stage.reports.isEmpty)
        stage.subscribe()
        #expect(stage.reports.map(\.keyframe) == [1])
        #expect(stage.hellos == 1)
    }

    @Test("A subscription that arrives anew within a conversation begins another one")
    func anotherConnection() {
        var stage = Stage()
        stage.connect()
        stage.begin("Job")
        stage.pass(milliseconds: 100)
        stage.subscribe()
        #expect(stage.hellos == 2)
        stage.welcome()
        #expect(stage.reports.last?.keyframe == 2)
    }

    @Test("What begins while a keyframe is under way is part of it, and nothing comes in between")
    func noInterleaving() throws {
        var stage = Stage()
        let job = stage.begin()
        for _ in 0..<3_000 { stage.begin(String(repeating: "z", count: 150), under: job) }
        stage.takesReports = false
        stage.connect()
        let late = stage.begin("late", under: job)
        stage.advance(job, by: 2)
        stage.takesReports = true
        stage.pass(milliseconds: 60)
        let position = stage.reports.firstIndex(where: \.keyframeLast)
        let last = try #require(position)
        let keyframe = stage.reports[...last]
        #expect(keyframe.allSatisfy { $0.keyframe == 1 })
        #expect(keyframe.flatMap(\.descriptions).map(\.index).contains(late))
        #expect(stage.reports.map(\.sequence) == stage.reports.map(\.sequence).sorted())
        stage.pass(milliseconds: 100)
        #expect(stage.reported(job) == 2)
    }

    @Test("When a task began is said alike in report, keyframe and ending, though the clock is set")
    func begunTimes() {
        var stage = Stage()
        stage.machine.setWallOffset(1_795_230_000.1)
        let job = stage.begin("Job")
        stage.begin("Ticket", under: job) { $0.isTicket = true }
        stage.connect()
        stage.pass(milliseconds: 60)
        // Two readings, then a clock that somebody has set.
        stage.machine.setWallOffset(1_795_230_000.15)
        stage.machine.setWallOffset(1_795_233_600)
        stage.pass(milliseconds: 1_000)
        let late = stage.begin("Late", under: job)
        stage.unsubscribe()
        stage.connect(epoch: 2)
        stage.end(late)
        stage.end(job)
        stage.pass(milliseconds: 60)
        let said = (stage.reports.flatMap(\.descriptions) + stage.endings.map(\.description_p))
        #expect(Set(said.filter { $0.index == job }.map(\.begun)) == [1_795_230_001.1])
        #expect(Set(said.filter(\.isTicket).map(\.begun)) == [0])
        let begun = Set(said.filter { $0.index == late }.map(\.begun))
        #expect(begun.count == 1 && abs((begun.first ?? 0) - 1_795_233_602.06) < 1e-5)
        #expect(said.filter { $0.index == job }.count > 2)
    }

    @Test("Without a wall clock nothing is said of when a task began")
    func unknownTime() {
        var stage = Stage()
        stage.begin("Job")
        stage.connect()
        #expect(stage.reports.flatMap(\.descriptions).map(\.begun) == [0])
    }

    @Test("A broker that comes back gets a new keyframe with state, place, cell and fold")
    func again() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let child = stage.begin("held", under: job)
        let short = stage.begin("short", under: job)
        stage.end(short)
        stage.pass(milliseconds: 60)
        stage.answer {
            $0.places.index = [child]
            $0.places.place = [3]
            $0.places.cell = [8]
        }
        stage.machine.setPaused(true, child, at: stage.now)
        stage.unsubscribe()
        stage.reports = []
        stage.connect()
        let keyframe = try #require(stage.reports.first)
        #expect(keyframe.keyframe == 2)
        let row = try #require(keyframe.descriptions.first { $0.index == child })
        #expect(row.place == 3)
        #expect(row.cell == 8)
        #expect(keyframe.states.first { $0.index == child }?.state == .paused)
        #expect(keyframe.folds.map(\.succeeded) == [1])
        #expect(keyframe.clockIndex.contains(child))
    }

    @Test("An ended task stands in a keyframe without a state: its ending goes over control")
    func endedTasks() throws {
        var stage = Stage()
        let job = stage.begin()
        let child = stage.begin("failing", under: job)
        stage.end(child, .failed(reason: "disk full"))
        stage.connect()
        let keyframe = try #require(stage.reports.first)
        #expect(keyframe.descriptions.map(\.index) == [job, child])
        #expect(keyframe.states.map(\.index) == [job])
    }

    @Test("A broker that asks who that is gets hello and a keyframe, once in a tick at most")
    func who() {
        var stage = Stage()
        stage.connect()
        stage.begin()
        stage.pass(milliseconds: 100)
        stage.answer { $0.who = WireWho() }
        stage.answer { $0.who = WireWho() }
        #expect(stage.hellos == 2, "a hello was under way")
        stage.welcome()
        #expect(stage.reports.contains { $0.keyframe == 2 && $0.keyframeLast })
        for _ in 0..<100 {
            stage.answer { $0.who = WireWho() }
            stage.welcome()
            stage.pass(milliseconds: 1)
        }
        #expect(stage.hellos <= 5)
    }
}
