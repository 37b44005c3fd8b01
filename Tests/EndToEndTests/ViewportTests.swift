import Foundation
import ProgressBus
import TaskTree
import Testing

/// A viewer follows the parts on its screen, with a real broker and real workers.
@Suite("Pictures", .serialized, .transcript, .timeLimit(.minutes(5)))
struct PictureTests {
    private let page = ViewportPart.board(page: 0)

    @Test("The first page and a block of children, their cells and messages")
    func parts() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Job", #""total":100,"key":"job""#)
            for number in 0..<100 {
                worker.begin("\(number)", "Child \(number)", #""parent":"job","total":4"#)
            }
            worker.say(#"{"op":"log","id":"job","text":"begun"}"#)
            try await worker.sync()
            let screen = FollowedScreen(bus.follower(), [page])
            defer { screen.close() }
            let job = try await eventually("the job") { screen.tasks(in: page).first }
            let parts: [ViewportPart] = [
                .children(of: job.id, block: 0), .children(of: job.id, block: 1),
                .states(of: job.id, block: 0), .messages(of: job.id), .hosts(of: job.id),
            ]
            screen.show(Set(parts))
            try await eventually("all parts", instead: { "\(screen.content.summary)" }) {
                !screen.content.isLoading && screen.content.messages.map(\.text) == ["begun"]
            }
            #expect(screen.tasks(in: parts[0]).map(\.place) == (1...64).map { $0 })
            #expect(screen.tasks(in: parts[1]).map(\.place) == (65...100).map { $0 })
            #expect(screen.content.states[parts[2]]?.filter { $0 != 0 }.count == 100)
            try await eventually("the tasks by host") {
                let hosts = screen.content.hosts[job.id]?.hosts ?? []
                return hosts.map(\.name) == [ProcessInfo.processInfo.hostName]
                    && hosts[0].counts.running == 100
            }

            worker.end("7", "failed", reason: "no paper")
            worker.update("99", #""completed":3"#)
            worker.say(#"{"op":"log","id":"job","text":"more"}"#)
            try await worker.sync()
            try await eventually("the changes") {
                let tasks = screen.content.tasks.values
                return tasks.contains { $0.title == "Child 7" && $0.state == .failed }
                    && tasks.contains { $0.title == "Child 99" && $0.completed == 3 }
                    && screen.content.states[parts[2]]?.contains { $0 & 0x0f == 6 } == true
                    && screen.content.messages.map(\.text) == ["begun", "more"]
                    && screen.content.hosts[job.id]?.hosts.first?.counts.failed == 1
            }
        }
    }

    @Test("A part that is no longer shown costs nothing")
    func droppedPart() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            let job = client.beginJob("Job", total: 1_000_000)
            let children = (0..<60).map { job.beginChild("Child \($0)", total: 1_000_000) }
            let work = Task {
                while !Task.isCancelled {
                    for child in children { child.advance() }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { work.cancel() }
            let screen = FollowedScreen(bus.follower(), [page])
            defer { screen.close() }
            let id = try await eventually("the job") { screen.tasks(in: page).first?.id }
            let part = ViewportPart.children(of: id, block: 0)
            screen.show([page, part])
            try await eventually("the children") { screen.tasks(in: part).count == 60 }
            let with = try await bytes(in: .seconds(2), on: screen)
            screen.show([page])
            try await eventually("the rest of what was on its way") {
                try await bytes(in: .milliseconds(300), on: screen) * 5 < with
            }
            let without = try await bytes(in: .seconds(2), on: screen)
            #expect(without * 5 < with, "\(without) bytes, \(with) with the children")
            #expect(without > 0, "the job goes on")
            screen.show([page, part])
            try await eventually("the children again") { screen.tasks(in: part).count == 60 }
            _ = await client.close(timeout: .seconds(5))
        }
    }

    @Test("A broker that is killed and comes again: the picture stays and goes on")
    func restart() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Job", #""total":10,"key":"job""#)
            for number in 0..<5 {
                worker.begin("\(number)", "Child \(number)", #""parent":"job","total":8"#)
                worker.update("\(number)", #""completed":\#(number)"#)
            }
            try await worker.sync()
            let screens = (0..<2).map { _ in FollowedScreen(bus.follower(), [page]) }
            defer { for screen in screens { screen.close() } }
            let job = try await eventually("the job") { screens[0].tasks(in: page).first }
            let part = ViewportPart.children(of: job.id, block: 0)
            for screen in screens { screen.show([page, part]) }
            try await agree(screens, on: part, "five children") { $0.count == 5 }
            let before = screens[0].tasks(in: part).map(\.id)

            broker.send(SIGKILL)
            try await broker.end()
            try await eventually("both know that it is gone") {
                screens.allSatisfy { $0.content.connection == .reconnecting }
            }
            for screen in screens {
                #expect(screen.tasks(in: part).map(\.id) == before)
                #expect(screen.tasks(in: page).map(\.title) == ["Job"])
            }
            worker.update("1", #""completed":6"#)
            _ = try await bus.startBroker("--linger", "600")
            try await worker.sync()
            try await agree(screens, on: part, "what was said meanwhile") { tasks in
                tasks.map(\.id) == before && tasks[1].completed == 6
            }
            worker.begin("5", "Child 5", #""parent":"job","total":8"#)
            worker.end("0", "succeeded")
            try await worker.sync()
            try await agree(screens, on: part, "what comes after it") { tasks in
                tasks.count == 6 && tasks[0].state == .succeeded
            }
            for screen in screens {
                #expect(screen.content.changesWithoutConnection == 0)
                #expect(screen.content.stepsBack == 0)
                #expect(screen.content.left.isEmpty)
            }
        }
    }

    @Test("A task is found with the way to it, by its id, key or cell")
    func locate() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Job", #""key":"job""#)
            worker.begin("a", "A", #""parent":"job""#)
            worker.begin("b", "B", #""parent":"job""#)
            worker.begin("c", "C", #""parent":"b""#)
            try await worker.sync()
            let follower = bus.follower()
            defer { follower.close() }
            let board = try await follower.status(timeout: .seconds(20))
            let job = try #require(board.jobs.first)
            let last = try #require(job.children.last?.children.first)
            let match = try #require(try await follower.locate(.id(last.id)).first)
            #expect(match.job == job.id && match.slot == 1 && match.title == "C")
            #expect(match.path == [job.id, job.children.last?.id])
            #expect(match.places == [2, 1])
            let cell = try #require(last.cell)
            let inCell = try await follower.locate(.cell(cell, of: job.id))
            #expect(inCell == [match])
            #expect(try await follower.locate(TaskSelector("job")).map(\.path) == [[]])
            #expect(try await follower.locate(.key("nothing of the kind")).isEmpty)
        }
    }

    private func bytes(in duration: Duration, on screen: FollowedScreen) async throws -> Int {
        let before = screen.bytes
        try await Task.sleep(for: duration)
        return screen.bytes - before
    }

    /// Waits until both are live, show the same and what is expected.
    private func agree(
        _ screens: [FollowedScreen],
        on part: ViewportPart,
        _ what: String,
        _ isExpected: ([TaskSnapshot]) -> Bool
    ) async throws {
        func words(_ screen: FollowedScreen) -> [String] {
            (screen.tasks(in: page) + screen.tasks(in: part)).map {
                "\($0.id) \($0.title) \($0.state) \($0.completed) \($0.place ?? 0) \($0.fraction)"
            }
        }
        try await eventually(what, instead: { "\(screens.map(words))" }) {
            screens.allSatisfy { $0.content.connection == .live && isExpected($0.tasks(in: part)) }
                && words(screens[0]) == words(screens[1])
        }
    }
}
