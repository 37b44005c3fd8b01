import Foundation
import Testing

/// What the dashboard does to the terminal, and that it undoes it.
@Suite("The dashboard and its terminal", .serialized, .transcript, .timeLimit(.minutes(5)))
struct DashboardTerminalTests {
    /// A bus with one job at 42 %, and a dashboard that shows it.
    private func withDashboard(
        _ arguments: [String] = [],
        columns: Int = 80,
        rows: Int = 24,
        environment: [String: String] = [:],
        _ body: (TemporaryBus, Reporter, TerminalSession) async throws -> Void
    ) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Back up photos", #""total":100,"key":"photos""#)
            worker.update("a", #""completed":42"#)
            try await worker.sync()
            let session = try await TerminalSession.start(
                on: bus,
                ["watch"] + arguments,
                columns: columns,
                rows: rows,
                environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
            )
            try await session.wait(for: "Back up photos")
            try await body(bus, worker, session)
        }
    }

    private func expectRestored(_ session: TerminalSession, _ what: Comment) async throws {
        let state = try await session.state()
        #expect(state.clean, what)
        #expect(state.line?.asBefore != false, what)
        #expect(state.strange.isEmpty, what)
        #expect(try await session.screen().alternate == false, what)
    }

    /// The job is as it was, and still being worked on.
    private func expectWorkGoesOn(_ bus: TemporaryBus, _ worker: Reporter) async throws {
        worker.update("a", #""completed":43"#)
        try await worker.sync()
        try await bus.status("the job at 43") { $0.allTasks.first?.completed == 43 }
    }

    @Test("q and Ctrl-C: success, the terminal as before, a receipt, and the work goes on")
    func keys() async throws {
        for key in ["q", "Ctrl-C"] {
            try await withDashboard { bus, worker, session in
                try await session.press(key)
                #expect(try await session.end().state == "exited 0", "\(key)")
                try await expectRestored(session, "\(key)")
                let receipt = try await session.mainScreen().text
                #expect(receipt.contains("Back up photos") && receipt.contains("42%"), "\(receipt)")
                try await expectWorkGoesOn(bus, worker)
            }
        }
    }

    @Test("a terminal higher than its description says: all of it scrolls, then and afterwards")
    func highScreen() async throws {
        try await withDashboard(columns: 100, rows: 40) { _, _, session in
            try await session.press("q")
            try await session.end()
            try await expectRestored(session, "40 rows")
        }
    }

    @Test("SIGTERM, SIGINT and SIGHUP: the same")
    func signals() async throws {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            try await withDashboard { bus, worker, session in
                try await session.send(signal)
                #expect(try await session.end().state == "exited 0", "signal \(signal)")
                try await expectRestored(session, "signal \(signal)")
                try await expectWorkGoesOn(bus, worker)
            }
        }
    }

    @Test("the window is closed: it ends, and the work goes on")
    func hangUp() async throws {
        try await withDashboard { bus, worker, session in
            try await session.hangUp()
            try await session.end()
            try await expectWorkGoesOn(bus, worker)
        }
    }

    @Test("a crash from outside: the signal's own end, and the terminal as before")
    func fatalSignals() async throws {
        for signal in [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGQUIT] {
            try await withDashboard { _, _, session in
                try await session.send(signal)
                #expect(try await session.end().state == "signalled \(signal)")
                try await expectRestored(session, "signal \(signal)")
            }
        }
    }

    #if DEBUG
    @Test("a crash in the view: the terminal as before, and the work goes on")
    func crashes() async throws {
        for kind in ["view", "memory", "abort", "stack"] {
            let environment = ["PROGRESSBUS_CRASH_FOR_TEST": kind]
            try await withDashboard(environment: environment) { bus, worker, session in
                try await session.resize(columns: 77, rows: 24)
                #expect(try await session.end().state.hasPrefix("signalled"), "\(kind)")
                try await expectRestored(session, "\(kind)")
                try await expectWorkGoesOn(bus, worker)
            }
        }
    }
    #endif

    @Test("a terminal of 8 colours: words beside the point are dim, not black")
    func fewColours() async throws {
        try await withDashboard(environment: ["TERM": "xterm"]) { _, _, session in
            let runs = try await session.styles(row: 23)
            let words = try #require(runs.first { $0.text.contains("quit") })
            #expect(words.style.fg == nil && words.style.dim == true, "\(runs)")
        }
    }

    @Test("Ctrl-Z and SIGTSTP: stopped with the terminal as before; then the whole screen again")
    func suspension() async throws {
        try await withDashboard { _, worker, session in
            for key in [true, false] {
                if key {
                    try await session.press("Ctrl-Z")
                } else {
                    try await session.send(SIGTSTP)
                }
                let stopped = try await session.wait(forState: "stopped")
                #expect(stopped.clean && stopped.line?.asBefore == true)
                try await session.resume()
                let screen = try await session.wait(for: "Back up photos")
                #expect(screen.alternate && !screen.cursor.visible)
            }
            worker.update("a", #""completed":77"#)
            try await session.wait(for: "77%")
            try await session.press("q")
            try await session.end()
            try await expectRestored(session, "after suspensions")
        }
    }

    @Test("stopped without a word: the whole screen again")
    func stopped() async throws {
        try await withDashboard { _, _, session in
            try await session.send(SIGSTOP)
            try await session.wait(forState: "stopped")
            try await session.resume()
            try await session.wait(forState: "running")
            try await session.press("?")
            try await session.wait(for: "Keys")
            #expect(try await session.screen().alternate)
        }
    }

    @Test("every size down to one cell, and back: the same screen, and no end")
    func sizes() async throws {
        try await withDashboard { _, _, session in
            let before = try await session.wait(for: "42%")
            for (columns, rows) in [(20, 5), (1, 1), (2, 60), (200, 1), (200, 60), (3, 2)] {
                try await session.resize(columns: columns, rows: rows)
                try await Task.sleep(for: .milliseconds(150))
            }
            try await session.resize(columns: 80, rows: 24)
            let after = try await session.wait(for: "42%")
            #expect(after.row(of: "Back up photos") == before.row(of: "Back up photos"))
            #expect(after.state == "running")
        }
    }

    @Test("sequences nobody knows: swallowed; a key after them works")
    func unknownSequences() async throws {
        try await withDashboard { _, _, session in
            try await session.type("\u{1B}[1;9Z\u{1B}]11;rgb:0/0/0\u{7}\u{1B}[201~")
            try await session.press("?")
            try await session.wait(for: "Keys")
            #expect(try await session.state().state == "running")
        }
    }

    @Test("a paste that never ends: no key while it may go on, then keys again")
    func endlessPaste() async throws {
        try await withDashboard { _, _, session in
            try await session.type("\u{1B}[200~?q\u{3}")
            try await session.wait(for: "what is pasted does nothing here")
            try await session.press("?")
            try await session.wait(for: "Keys")
            #expect(try await session.state().state == "running")
        }
    }

    @Test("nothing moves and nothing changes: not a byte")
    func idle() async throws {
        try await withDashboard { _, worker, session in
            worker.end("a", "succeeded")
            try await worker.sync()
            try await session.wait(for: "100%")
            let settled = try await eventually("the screen rests", within: .seconds(20)) {
                let before = try await session.state().bytes
                try await Task.sleep(for: .seconds(2))
                let after = try await session.state().bytes
                return before == after ? after : nil
            }
            try await Task.sleep(for: .seconds(2))
            #expect(try await session.state().bytes == settled)
        }
    }

    @Test("title and taskbar by option: shown, then cleared")
    func outside() async throws {
        try await withDashboard(["--terminal-title", "--taskbar"]) { _, worker, session in
            worker.update("a", #""completed":50"#)
            try await session.wait(for: "50%")
            try await session.press("Down", "Up")
            try await eventually("the title says it", within: .seconds(10)) {
                try await session.screen().title.contains("50%") ? true : nil
            }
            #expect(try await session.state().announcements.contains("9;4;1;50"))
            try await session.send(SIGTERM)
            try await session.end()
            #expect(try await session.state().announcements.last?.hasPrefix("9;4;0") == true)
        }
    }

    @Test("summer time has begun since: each time on the screen is as it was on the wall then")
    func summerTime() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Back up photos", #""total":100"#)
            func say(_ text: String) async throws -> String {
                worker.say(#"{"op":"log","id":"a","text":"\#(text)"}"#)
                try await worker.sync()
                return Self.timeInUTC(.now)
            }
            let before = try await say("in winter")
            // An hour ahead of UTC from then on, for a day at least.
            let begins = Date.now.addingTimeInterval(2)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let day = (calendar.ordinality(of: .day, in: .year, for: begins) ?? 1) - 1
            let zone = "WIN0SUM-1,\(day)/\(Self.timeInUTC(begins)),\(day > 180 ? 0 : 364)/0"
            try await Task.sleep(for: .seconds(3))

            let session = try await TerminalSession.start(on: bus, environment: ["TZ": zone])
            try await session.wait(for: "Back up photos")
            try await session.press("L")
            let winter = try await session.wait(for: "in winter").lines
            let after = try await say("in summer")
            let summer = try await session.wait(for: "in summer").lines
            #expect(Self.hour(of: "in winter", on: winter) == before.prefix(2))
            #expect(Self.hour(of: "in winter", on: summer) == before.prefix(2))
            let hour = (try #require(Int(after.prefix(2))) + 1) % 24
            #expect(Self.hour(of: "in summer", on: summer).flatMap { Int($0) } == hour)
        }
    }

    private static func timeInUTC(_ date: Date) -> String {
        String(date.ISO8601Format().dropFirst(11).prefix(8))
    }

    /// "05" of the line "05:00:07 Back up photos: …" with that text.
    private static func hour(of text: String, on lines: [String]) -> Substring? {
        let line = lines.first { $0.contains(text) } ?? ""
        return line.firstMatch(of: /\d\d:\d\d:\d\d/)?.output.prefix(2)
    }

    @Test("a terminal of unknown type: a sentence, and plain lines")
    func unknownType() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let session = try await TerminalSession.start(
                on: bus,
                environment: ["TERM": "no-such-terminal"]
            )
            try await session.wait(for: "no-such-terminal")
            let screen = try await session.wait(for: "connected")
            #expect(!screen.alternate)
            try await session.send(SIGTERM)
            #expect(try await session.end().state == "exited 0")
        }
    }

    @Test(
        "a terminal whose description has no size, as the console of Linux: drawn at its own size"
    )
    func noSizeInDescription() async throws {
        let environment = ["TERM": "linux"]
        try await withDashboard(columns: 100, rows: 30, environment: environment) { _, _, session in
            let screen = try await session.wait(for: "? keys")
            #expect(screen.lines[29].hasSuffix("q quit"), "\(screen)")
            // Which this description calls a key.
            try await session.press("Ctrl-Z")
            #expect(try await session.wait(forState: "stopped").clean)
            try await session.resume()
            try await session.wait(for: "? keys")
            try await session.press("q")
            let end = try await session.end()
            #expect(end.state == "exited 0" && end.clean, "\(end)")
        }
    }

    @Test("a terminal that reads nothing: the dashboard waits for it without processor time")
    func terminalThatReadsNothing() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            for job in 0..<50 { worker.begin("\(job)", "Job \(job)", #""total":1000000"#) }
            try await worker.sync()
            let session = try await TerminalSession.start(on: bus, columns: 200, rows: 60)
            try await session.wait(for: "Job 7")
            let pid = try await session.state().pid
            session.setReading(false)
            // More than the system keeps for a terminal that reads nothing.
            for round in 1...60 {
                for job in 0..<50 { worker.update("\(job)", #""completed":\#(round * 9_973)"#) }
                try await Task.sleep(for: .milliseconds(100))
            }
            try await worker.sync()
            let before = try #require(processorTime(of: pid))
            try await Task.sleep(for: .seconds(2))
            let spent = try #require(processorTime(of: pid)) - before
            #expect(spent < 0.5, "\(spent) s of two seconds")
            session.setReading(true)
            try await session.press("q")
            #expect(try await session.end().state == "exited 0")
        }
    }

    @Test("the demo: a dashboard that closes by itself, and leaves a receipt")
    func demo() async throws {
        try await withBus { bus in
            let session = try await startDemo(on: bus)
            #expect(try await session.end(within: .seconds(60)).state == "exited 0")
            try await expectRestored(session, "demo")
            try await eventually("the receipt") {
                let text = try await session.mainScreen().text
                return text.contains("Checksum") && text.contains("verify:")
            }
            #expect(try await session.state().updates > 0, "it was a dashboard")
        }
    }

    @Test("the demo with --plain: no dashboard")
    func plainDemo() async throws {
        try await withBus { bus in
            let session = try await startDemo(on: bus, ["--plain"])
            #expect(try await session.end(within: .seconds(60)).state == "exited 0")
            #expect(try await session.state().updates == 0)
            #expect(try await session.mainScreen().text.contains("verify:"))
        }
    }

    private func startDemo(
        on bus: TemporaryBus,
        _ options: [String] = []
    ) async throws -> TerminalSession {
        let directory = bus.path("files")
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        for number in 0..<200 {
            let path = directory + "/file \(number)"
            try Data(repeating: UInt8(number), count: 500_000).write(to: URL(fileURLWithPath: path))
        }
        // A second or more on any machine, so that there is something to look at; with holes, so
        // that it takes no room.
        for number in 0..<10 {
            let path = directory + "/large \(number)"
            try Data().write(to: URL(fileURLWithPath: path))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 100_000_000)
            try file.close()
        }
        let output = bus.path("checksums")
        return try await TerminalSession.start(
            on: bus,
            ["demo", directory, "--workers", "2", "--output", output] + options
        )
    }
}
