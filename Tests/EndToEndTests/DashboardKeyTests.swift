import Foundation
import Testing

/// What keys do to the work, through a real broker to a real worker.
@Suite("Keys of the dashboard reach the work", .serialized, .transcript, .timeLimit(.minutes(5)))
struct DashboardKeyTests {
    private func withDashboard(
        _ arguments: [String] = [],
        _ body: (TemporaryBus, Reporter, TerminalSession) async throws -> Void
    ) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            let fields = #""total":100,"cancellable":true,"pausable":true,"#
            worker.begin("a", "Import the archive", fields + #""consequence":"12 rows""#)
            worker.begin("b", "Part one", #""parent":"a","total":10"#)
            worker.begin("c", "Part two", #""parent":"a","total":10"#)
            try await worker.sync()
            let session = try await TerminalSession.start(
                on: bus,
                ["watch", "--no-autostart"] + arguments,
                columns: 100,
                rows: 24
            )
            try await session.wait(for: "Import the archive")
            try await body(bus, worker, session)
        }
    }

    @Test("I-14: x and Enter at once leaves the task running; x, right, Enter stops it")
    func cancel() async throws {
        try await withDashboard { bus, worker, session in
            try await session.press("x", "Enter")
            try await session.wait(for: "goes on")
            try await worker.sync()
            #expect(!worker.process.output.contains("cancel"))

            try await session.press("x")
            try await session.wait(for: "12 rows")
            try await session.press("Right", "Enter")
            try await worker.event("cancel") { $0.event == "cancel" && $0.id == "a" }
            try await session.wait(for: "cancelling")
            worker.end("b", "cancelled")
            worker.end("c", "cancelled")
            worker.end("a", "cancelled")
            try await worker.sync()
            try await session.wait(forNo: "cancelling")
        }
    }

    @Test("I-13: p pauses and resumes")
    func pause() async throws {
        try await withDashboard { bus, worker, session in
            try await session.press("p")
            try await worker.event("pause") { $0.event == "pause" && $0.id == "a" }
            worker.update("a", #""paused":true"#)
            try await worker.sync()
            try await session.wait(for: "p resume")
            try await session.press("p")
            try await worker.event("resume") { $0.event == "resume" && $0.id == "a" }
        }
    }

    @Test("d dismisses a failed job for everybody; read-only does nothing")
    func dismiss() async throws {
        try await withDashboard(["--read-only"]) { bus, worker, session in
            worker.begin("f", "Broken")
            worker.end("f", "failed", reason: "no space left")
            try await worker.sync()
            try await session.wait(for: "failed: no space left")
            try await session.press("Down", "d")
            try await session.wait(for: "read-only")
            #expect(try await session.screen().text.contains("Broken"))

            let other = try await TerminalSession.start(on: bus, ["watch", "--no-autostart"])
            try await other.wait(for: "Broken")
            try await other.press("Down", "d")
            try await other.wait(for: "[Keep It]")
            try await other.press("Right", "Enter")
            try await other.wait(for: "dismiss \"Broken\": accepted")
            try await other.wait(forNo: "no space left")
            try await session.wait(forNo: "no space left")
        }
    }

    @Test("frozen: x asks nothing of a job that may have ended since, and says so")
    func freeze() async throws {
        try await withDashboard { _, worker, session in
            try await session.press("f")
            try await session.wait(for: "frozen")
            for id in ["b", "c", "a"] { worker.end(id, "succeeded") }
            try await worker.sync()
            try await session.press("x")
            try await session.wait(for: "the picture is frozen; f goes on")
            try await session.press("f")
            try await session.wait(for: "d dismiss")
            #expect(!worker.process.output.contains("cancel"))
        }
    }

    @Test("what is pasted presses no key, however long; after / it is looked for")
    func paste() async throws {
        try await withDashboard { bus, worker, session in
            try await session.paste("pdqx\ny" + String(repeating: "pdqx\u{1B}[B\n", count: 2_000))
            try await session.wait(for: "what is pasted does nothing here")
            try await session.press("/")
            try await session.paste("part\tone\n")
            try await session.wait(for: "filter: part one_")
            try await session.press("Enter", "Enter")
            try await session.wait(for: "Part two")
            try await worker.sync()
            #expect(!worker.process.output.contains("pause"))
            try await session.press("q")
            #expect(try await session.end().state == "exited 0")
            #expect(try await session.state().clean)
        }
    }

    @Test("a: the end of a job is told by a bell and in words; y: its id is handed to the terminal")
    func telling() async throws {
        try await withDashboard { bus, worker, session in
            try await session.press("y")
            let id = try await session.wait(for: "copied id:").text
                .firstMatch(of: /copied id:([^,]+),/)?.output.1
            let copied = try await eventually("the terminal has the id") {
                try await session.state().announcements.first { $0.hasPrefix("52;c;") }
            }
            let data = try #require(Data(base64Encoded: String(copied.dropFirst(5))))
            #expect(id.map(String.init) == String(decoding: data, as: UTF8.self))

            try await session.press("a")
            try await session.wait(for: "* Import the archive")
            #expect(try await session.state().bells == 0)
            for id in ["b", "c", "a"] { worker.end(id, "succeeded") }
            try await worker.sync()
            let words = try await eventually("the end is told") {
                try await session.state().announcements.first { $0.hasPrefix("9;progressbus: ") }
            }
            #expect(words.contains("Import the archive: done"))
            #expect(try await session.state().bells == 1)
            try await session.wait(forNo: "* Import the archive")
        }
    }

    @Test("a link in the details is one of the terminal's, and Y hands it over")
    func links() async throws {
        try await withDashboard { bus, worker, session in
            let link = "https://builds.example.org/7"
            worker.update("a", #""detail":"log at \#(link)""#)
            try await session.press("Tab")
            try await session.wait(for: "log at \(link)")
            try await eventually("the terminal has the link") {
                try await session.state().announcements.contains("8;;" + link)
            }
            try await session.press("Y")
            try await session.wait(for: "copied \(link)")
            worker.update("a", #""detail":"nothing more""#)
            let screen = try await session.wait(for: "doing    nothing more")
            #expect(!screen.text.contains("log at"))
            #expect(try await session.state().strange.isEmpty)
        }
    }

    @Test("/failed, Enter, n: what has failed six levels deep in a folded branch is found")
    func search() async throws {
        try await withDashboard { bus, worker, session in
            for level in 1...6 {
                let parent = level == 1 ? "a" : "l\(level - 1)"
                worker.begin("l\(level)", "Level \(level)", #""parent":"\#(parent)""#)
                worker.begin("o\(level)", "Other \(level)", #""parent":"\#(parent)""#)
            }
            worker.end("l6", "failed", reason: "no space left")
            try await worker.sync()
            try await session.press("Enter")
            try await session.wait(for: "Level 1")
            try await session.press("C", "/")
            try await session.paste("failed")
            try await session.press("Enter")
            let before = try await session.wait(for: "/failed: 0 here, 1 in the job")
            #expect(!before.text.contains("Level 2"))
            try await session.press("n")
            let after = try await session.wait(for: "Level 6")
            #expect(after.text.contains("Level 5") && !after.text.contains("Other 6"))
            try await session.wait(for: "/failed: 1 here, 1 in the job")
            try await session.press("Tab")
            try await session.wait(for: "Details: Level 6")
        }
    }

    @Test("n goes to the job, and in it to what needs attention; m, L and Tab show it otherwise")
    func looking() async throws {
        try await withDashboard { bus, worker, session in
            worker.say(#"{"op":"log","id":"c","text":"disk 3 is slow"}"#)
            worker.end("c", "failed", reason: "no space left")
            try await worker.sync()
            try await session.wait(for: "1 needs")
            try await session.press("n", "Enter")
            try await session.wait(for: "Part two")
            try await session.press("n")
            try await session.wait(for: "d dismiss")
            try await session.press("L")
            try await session.wait(for: "disk 3 is slow")
            try await session.press("Tab")
            try await session.wait(for: "Details: Part two")
            try await session.press("m")
            try await session.wait(for: "cell 2: Part two")
            try await session.press("Left")
            try await session.wait(for: "cell 1: Part one")
            try await session.press("Escape")
            try await session.wait(for: "Part one")
        }
    }
}
