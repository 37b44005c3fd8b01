import Foundation
import Testing

/// `progressbus report`: every line and event of its documentation.
@Suite("The lines of report", .serialized, .transcript, .timeLimit(.minutes(5)))
struct ReportSurfaceTests {
    @Test("Everything that begin can say is in the status")
    func beginFields() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("b", "Job", #""total":200,"key":"nightly""#)
            worker.begin(
                "a",
                "Encode",
                #"""
                "total":100,"unit":"frames","parent":"b","share":10,"style":"spinner",\#
                "background":true,"tint":"blue","detail":"d é","cancellable":true,\#
                "pausable":true,"consequence":"Half a film","expectedChildren":12,\#
                "totalIsEstimate":true,"expectEvery":30,"unknown":"fields are skipped"
                """#
            )
            try await worker.sync()
            let report = try await bus.status("both") { $0.allTasks.count == 2 }
            let job = try #require(report.jobs.first)
            #expect(job.key == "nightly" && job.slot == 1 && job.place == nil && job.parent == nil)
            #expect(job.style == "bar" && !job.background && job.tint == nil)
            #expect(!job.cancellable && !job.pausable && job.consequence == nil)
            #expect(job.fraction == 0 && job.state == "running" && job.attempt == 1)
            let child = try #require(job.children.first)
            #expect(child.parent == job.id && child.slot == nil && child.place != nil)
            #expect(child.title == "Encode" && child.detail == "d é" && child.unit == "frames")
            #expect(child.total == 100 && child.totalIsEstimate && child.share == 10)
            #expect(child.style == "spinner" && child.background && child.tint == "blue")
            #expect(child.cancellable && child.pausable && child.consequence == "Half a film")
            #expect(child.process?.pid == Int(worker.process.pid))
            #expect(child.process?.command.isEmpty == false && child.process?.host.isEmpty == false)
            #expect(child.startedAt != nil && child.endedAt == nil && child.exit == nil)
        }
    }

    @Test("update is absolute, advance adds, total null makes it indeterminate")
    func updates() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Title", #""total":100"#)
            worker.begin("c", "Child", #""parent":"a","share":50,"total":10"#)
            worker.update("a", #""completed":20"#)
            worker.say(#"{"op":"advance","id":"a","by":3}"#)
            worker.say(#"{"op":"advance","id":"a"}"#)
            worker.update("c", #""completed":5,"detail":"episode 3","title":"Kid","share":12"#)
            try await worker.sync()
            let report = try await bus.status("numbers") { $0.jobs.first?.completed == 24 }
            let job = report.jobs[0]
            let child = try #require(job.children.first)
            #expect(child.title == "Kid" && child.detail == "episode 3" && child.share == 12)
            #expect(job.fraction == 0.3)
            worker.update("c", #""total":null"#)
            worker.update("a", #""total":200,"title":"Renamed""#)
            try await worker.sync()
            let next = try await bus.status("no total") { report in
                report.job(titled: "Renamed")?.children.first?.indeterminate == true
            }
            #expect(next.jobs[0].total == 200 && next.jobs[0].children[0].total == nil)
            #expect(next.jobs[0].fraction == 0.12)
            #expect(next.jobs[0].key == "Title", "the default key is the first title")
            worker.update("c", #""paused":true"#)
            try await bus.status("paused") { $0.jobs.first?.children.first?.state == "paused" }
            worker.update("c", #""paused":false,"total":5"#)
            try await bus.status("running") { $0.jobs.first?.children.first?.state == "running" }
            worker.end("c", "failed", reason: "tape torn")
            worker.end("a", "cancelled")
            #expect(try await worker.process.finish() == .exited(0))
            let last = try await bus.status("ended") { $0.jobs.first?.state == "cancelled" }
            #expect(last.jobs[0].children[0].reason == "tape torn")
            #expect(last.jobs[0].counts == .init(failed: 1) && last.jobs[0].endedAt != nil)
        }
    }

    @Test("A ticket that one script makes is redeemed by another")
    func tickets() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let maker = try bus.startReporter()
            maker.begin("a", "Job", #""total":100"#)
            let ticket = try await maker.ticket("Upload", under: "a", #""share":20"#)
            #expect(ticket.hasPrefix("pbt1-"))
            try await maker.sync()
            let waiting = try await bus.status("waiting") { report in
                report.jobs.first?.children.first?.state == "waiting"
            }
            #expect(waiting.jobs[0].children[0].share == 20)
            #expect(waiting.jobs[0].children[0].process == nil)
            let taker = try bus.startReporter()
            taker.say(#"{"op":"redeem","id":"c","ticket":"\#(ticket)","total":10}"#)
            taker.update("c", #""completed":5"#)
            try await taker.sync()
            let report = try await bus.status("redeemed") { report in
                report.jobs.first?.children.first?.state == "running"
            }
            let child = report.jobs[0].children[0]
            #expect(child.title == "Upload" && child.share == 20 && child.completed == 5)
            #expect(child.id == waiting.jobs[0].children[0].id)
            #expect(child.place == waiting.jobs[0].children[0].place)
            #expect(child.process?.pid == Int(taker.process.pid))
            #expect(report.jobs.count == 1 && report.jobs[0].fraction == 0.1)
        }
    }

    @Test("--title is the parent of every begin without one, and is addressed as root")
    func root() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter("--title", "Program")
            worker.begin("a", "Child")
            worker.begin("b", "Grandchild", #""parent":"a""#)
            worker.update("root", #""total":10,"completed":1"#)
            try await worker.sync()
            let report = try await bus.status("a tree") { $0.allTasks.count == 3 }
            #expect(report.jobs.map(\.title) == ["Program"])
            #expect(report.jobs[0].child(titled: "Child")?.children.map(\.title) == ["Grandchild"])

            // Others begin their children below a task of this one, any number of them.
            let inherited = ["PROGRESSBUS_PARENT": report.jobs[0].id]
            let others = try (0..<2).map { number in
                try bus.startReporter("--title", "Heir \(number)", adding: inherited)
            }
            for other in others { try await other.sync() }
            let next = try await bus.status("two heirs") { $0.jobs.first?.children.count == 3 }
            #expect(next.jobs.count == 1)
            #expect(Set(next.jobs[0].children.map(\.title)) == ["Child", "Heir 0", "Heir 1"])
        }
    }

    @Test(
        "--finish says how tasks end that still run",
        arguments: [
            "succeeded", "failed", "cancelled",
        ]
    )
    func finish(state: String) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter("--title", "Program", "--finish", state)
            worker.begin("a", "Child")
            worker.begin("e", "Ended")
            worker.say(#"{"op":"log","id":"e","text":"not folded away"}"#)
            worker.end("e", "succeeded")
            try await worker.sync()
            #expect(try await worker.process.finish() == .exited(0))
            let report = try await bus.status("the end of all") { report in
                report.job(titled: "Program")?.state == state
            }
            #expect(report.jobs[0].child(titled: "Child")?.state == state)
            #expect(report.jobs[0].child(titled: "Ended")?.state == "succeeded")
        }
    }

    @Test("A root that only the environment asks for succeeds when all of the input has ended")
    func impliedRoot() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let result = try await bus.runScript(
                """
                id=$($BUS begin Parent); export PROGRESSBUS_PARENT=$id
                echo '{"op":"begin","id":"a","title":"Part"}
                {"op":"end","id":"a","state":"succeeded"}' | $BUS report
                echo '{"op":"begin","id":"a","title":"Part"}' | $BUS report
                """
            )
            #expect(result.end == .exited(0), "\(result)")
            let report = try await bus.status("both") { $0.jobs.first?.children.count == 2 }
            #expect(report.jobs[0].children.map(\.state).sorted() == ["failed", "succeeded"])
        }
    }

    @Test("A bad line is named with its number, the rest goes on, the exit is 65")
    func badLines() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Good", #""total":3"#)
            let bad = [
                "no JSON", "[1]", #"{"op":"fly","id":"a"}"#, #"{"id":"a"}"#,
                #"{"op":"advance","id":"nobody"}"#, #"{"op":"update","id":"a","completed":"x"}"#,
                #"{"op":"update","id":"a","completed":-1}"#,
                #"{"op":"begin","id":"a","title":"x"}"#,
                #"{"op":"begin","id":"b"}"#, #"{"op":"end","id":"a","state":"great"}"#,
                #"{"op":"redeem","id":"t","ticket":"pbt1-nothing"}"#,
                #"{"op":"begin","id":"p","title":"p","parent":"nobody"}"#,
            ]
            bad.forEach(worker.say)
            worker.say("")
            worker.say(#"{"op":"advance","id":"a","by":2}"#)
            worker.end("a", "succeeded")
            #expect(try await worker.process.finish() == .exited(65))
            let errors = worker.process.errorOutput
            for number in 2...(bad.count + 1) {
                #expect(errors.contains("line \(number):"), "\(errors)")
            }
            let report = try await bus.status("the good one") {
                $0.jobs.first?.state == "succeeded"
            }
            #expect(report.jobs[0].completed == 2 && report.allTasks.count == 1)
        }
    }

    @Test("A misspelt operation is named with the one that was meant, and nothing else is said")
    func misspelt() async throws {
        try await withBus { bus in
            let worker = try bus.startReporter()
            worker.say(#"{"op":"advence","id":"a","by":2}"#)
            worker.say(#"{"op":"nothing-like-it","id":"a"}"#)
            #expect(try await worker.process.finish() == .exited(65))
            let all = "begin, update, advance, end, ticket, redeem, log, sync"
            let lines = worker.process.errorOutput.split(separator: "\n")
            #expect(
                lines == [
                    """
                    progressbus: line 1: unknown operation "advence"; did you mean "advance"? \
                    There are \(all)
                    """,
                    "progressbus: line 2: unknown operation \"nothing-like-it\"; there are \(all)",
                    "progressbus: 2 of the lines could not be used; see the messages above",
                ]
            )
        }
    }

    @Test("Without a broker sync says so and the exit is 75")
    func withoutBroker() async throws {
        try await withBus { bus in
            let worker = try bus.startReporter("--title", "Alone")
            worker.begin("a", "Child")
            worker.end("a", "succeeded")
            worker.say(#"{"op":"sync"}"#)
            let answer = try await worker.event("synced") { $0.event == "synced" }
            #expect(answer.ok == false)
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(75))
            #expect(worker.process.errorOutput.contains("broker"))
        }
    }

    @Test("A line of a megabyte too much is refused; long texts are cut, not lost")
    func longTexts() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            let long = String(repeating: "é", count: 5_000)
            worker.begin("a", long, #""detail":"\#(long)""#)
            worker.say(
                #"{"op":"log","id":"a","text":"\#(String(repeating: "x", count: 2_000_000))"}"#
            )
            try await worker.sync()
            let report = try await bus.status("the job") { $0.jobs.count == 1 }
            #expect(report.jobs[0].title.hasPrefix("ééé"))
            #expect(report.jobs[0].title.utf8.count <= 200)
            #expect(report.jobs[0].detail.utf8.count <= 500)
            worker.end("a", "succeeded")
            #expect(try await worker.process.finish() == .exited(65))
        }
    }
}
