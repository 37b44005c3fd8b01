import Foundation
import Testing

/// Every key of every view, on a real terminal: it does what the help says, and no other key does
/// anything.
@Suite("Each key of the dashboard", .serialized, .transcript, .timeLimit(.minutes(5)))
struct DashboardKeyTableTests {
    /// Keys pressed one after the other, and what is to be seen after the last of them.
    private struct Check {
        /// As the help calls them.
        var name: String
        var keys: [String]
        var sees: String
        var isAbsent = false

        init(_ name: String, _ keys: String..., sees: String) {
            (self.name, self.keys, self.sees) = (name, keys, sees)
        }

        init(_ name: String, _ keys: String..., seesNo: String) {
            (self.name, self.keys, sees, isAbsent) = (name, keys, seesNo, true)
        }
    }

    private static let movement = [
        Check("arrows, j k", "Down", sees: "Details: Broken"),
        Check("arrows, j k", "Up", sees: "Details: Import"),
        Check("arrows, j k", "j", sees: "Details: Broken"),
        Check("arrows, j k", "k", sees: "Details: Import"),
        Check("Home End", "End", sees: "Details: Copy the films"),
        Check("Home End", "Home", sees: "Details: Import"),
        Check("PgUp PgDn", "PageDown", sees: "Details: Copy the films"),
        Check("PgUp PgDn", "PageUp", sees: "Details: Import"),
    ]

    private static let opening = [
        Check("Enter, l", "Enter", sees: "Part three"),
        Check("Esc", "Escape", sees: "Broken "),
        Check("Enter, l", "l", sees: "Part three"),
        Check("Esc", "Escape", sees: "Broken "),
        Check("Enter, l", "Right", sees: "Part three"),
        Check("Esc", "Escape", sees: "Broken "),
    ]

    /// In every view, the details open and the cursor on a running task.
    private static let everywhere = [
        Check("1 to 9", "7", sees: "slot: 7_"),
        Check("1 to 9", "Escape", seesNo: "slot: 7_"),
        Check("J K", "J", "K", sees: "Details:"),
        Check("/", "/", "z", sees: "filter: z_  0 hits"),
        Check("/", "Escape", seesNo: "filter: z"),
        Check("x", "x", sees: "Keep Going"),
        Check("x", "Escape", sees: "goes on"),
        Check("d", "d", sees: "has not ended"),
        Check("a", "a", sees: "will be told by the terminal"),
        Check("a", "a", sees: "is not told any more"),
        Check("y", "y", sees: "copied id:"),
        Check("Y", "Y", sees: "there is no link"),
        Check("Tab", "Tab", seesNo: "Details:"),
        Check("L", "L", sees: "Messages: "),
        Check("Tab", "Tab", sees: "Details:"),
        Check("b", "b", sees: "nothing runs in the background"),
        Check("f", "f", sees: "frozen"),
        Check("f", "f", seesNo: "frozen"),
        Check("R", "R", sees: "asked for a fresh picture"),
        Check("?", "?", sees: "Keys: "),
        Check("?", "?", seesNo: "Keys: "),
    ]

    private static let board =
        movement + opening + everywhere + [
            Check("o", "o", sees: "a copy of the board by time left"),
            Check("o", "Escape", seesNo: "a copy of the board"),
            Check("D", "D", sees: "Dismiss 1 job that has ended"),
            Check("D", "Escape", seesNo: "Dismiss 1 job"),
            Check("+ -", "+", sees: "Part one"),
            Check("+ -", "-", seesNo: "Part one"),
            Check("m", "m", sees: "cell 1: "),
            Check("m", "m", sees: "Broken "),
            Check("n N", "n", sees: "Details: Broken"),
            Check("n N", "Home", "N", sees: "Details: Broken"),
            Check("n N", "Home", sees: "Details: Import"),
        ]

    private static let ordered =
        opening.map { check in
            var check = check
            if check.name == "Esc" { check.sees = "a copy of the board by trouble" }
            return check
        } + everywhere + [
            Check("arrows, j k", "k", sees: "Details: Broken"),
            Check("arrows, j k", "j", sees: "Details: Import"),
            Check("arrows, j k", "Up", sees: "Details: Broken"),
            Check("arrows, j k", "Down", sees: "Details: Import"),
            Check("Home End", "End", sees: "Details: Copy the films"),
            Check("Home End", "Home", sees: "Details: Broken"),
            Check("PgUp PgDn", "PageDown", sees: "Details: Copy the films"),
            Check("PgUp PgDn", "PageUp", sees: "Details: Broken"),
            Check("n N", "End", "n", sees: "Details: Broken"),
            Check("n N", "End", "N", sees: "Details: Broken"),
            Check("m", "j", "m", sees: "cell 1: "),
            Check("m", "m", sees: "a copy of the board by trouble"),
            Check("o", "o", sees: "a copy of the board by host"),
            Check("o", "o", sees: "a copy of the board by time left"),
            Check("o", "o", sees: "a copy of the board by trouble"),
            Check("Home End", "Home", "j", sees: "Details: Import"),
        ]

    private static let job =
        everywhere + [
            Check("arrows, j k", "Down", sees: "Details: Part one"),
            Check("arrows, j k", "j", sees: "Details: Part two"),
            Check("arrows, j k", "k", sees: "Details: Part one"),
            Check("arrows, j k", "Up", sees: "Details: Import"),
            // What fits is unfolded as soon as the job is opened.
            Check("Home End", "End", sees: "Details: Deep"),
            Check("left, h", "h", sees: "Details: Part three"),
            Check("left, h", "h", seesNo: "Deep"),
            Check("right, l", "l", sees: "Deep"),
            Check("right, l", "l", sees: "Details: Deep"),
            Check("left, h", "Left", sees: "Details: Part three"),
            Check("left, h", "Left", seesNo: "Deep"),
            Check("right, l", "Right", sees: "Deep"),
            Check("Enter", "Enter", seesNo: "Deep"),
            Check("Enter", "Enter", sees: "Deep"),
            Check("Enter", "Enter", seesNo: "Deep"),
            Check("E", "E", sees: "Deep"),
            Check("C", "C", seesNo: "Deep"),
            Check("Home End", "Home", sees: "Details: Import"),
            Check("PgUp PgDn", "PageDown", sees: "Details: Part three"),
            Check("PgUp PgDn", "PageUp", sees: "Details: Import"),
            Check("Enter", "j", "Enter", seesNo: "Details:"),
            Check("Enter", "Enter", sees: "Details: Part one"),
            Check("=", "=", sees: "Details: Part one"),
            Check("m", "m", sees: "cell 1: Part one"),
            Check("m", "m", sees: "Part three"),
            Check("n N", "n", sees: "nothing in this job needs attention; Esc, then n"),
            Check("Home End", "Home", seesNo: "nothing in this job"),
            Check("n N", "N", sees: "nothing in this job needs attention; Esc, then n"),
            Check("Esc", "Escape", seesNo: "Details:"),
            Check("Esc", "Escape", sees: "Broken "),
            Check("Esc", "Enter", "Tab", sees: "Details: Import"),
        ]

    private static let mosaic =
        everywhere.filter { !["x", "d"].contains($0.name) }.map { check in
            var check = check
            if check.sees.contains("0 hits") { check.sees = "filter: z_  cells are found" }
            return check
        } + [
            Check("x", "x", sees: "Enter shows the task in its tree"),
            Check("d", "d", sees: "Enter shows the task in its tree"),
            Check("arrows, h l", "l", sees: "cell 2: Part two"),
            Check("arrows, h l", "h", sees: "cell 1: Part one"),
            Check("arrows, h l", "Right", sees: "cell 2: Part two"),
            Check("arrows, h l", "Left", sees: "cell 1: Part one"),
            Check("Home End", "End", sees: "cell 4: "),
            Check("Home End", "Home", sees: "cell 1: "),
            Check("arrows, j k", "j", sees: "cell 4: "),
            Check("arrows, j k", "Home", "Down", sees: "cell 4: "),
            Check("arrows, j k", "k", sees: "cell 4: "),
            Check("arrows, j k", "Up", sees: "cell 4: "),
            Check("PgUp PgDn", "PageUp", sees: "cell 1: "),
            Check("PgUp PgDn", "PageDown", sees: "cell 4: "),
            Check("=", "=", sees: "cell 4: "),
            Check("Enter", "Enter", sees: "Part one"),
            Check("m", "m", sees: "cell 4: "),
            Check("Esc", "Escape", seesNo: "Details:"),
            Check("Esc", "Escape", sees: "Part three"),
            Check("Tab", "Tab", sees: "Details: "),
            Check("m", "m", sees: "cell 4: "),
            Check("n N", "n", sees: "nothing here needs attention"),
            Check("Home End", "Home", seesNo: "nothing here needs attention"),
            Check("n N", "N", sees: "nothing here needs attention"),
        ]

    /// In front of a view of few rows: the help, a question, the number of a slot, a filter.
    private static let inFront = [
        Check("help", "?", sees: "1 to 9 of"), Check("help", "Down", sees: "2 to 10 of"),
        Check("help", "Up", sees: "1 to 9 of"), Check("help", "j", sees: "2 to 10 of"),
        Check("help", "k", sees: "1 to 9 of"), Check("help", "PageDown", seesNo: "1 to 9 of"),
        Check("help", "PageUp", sees: "1 to 9 of"), Check("help", "End", sees: "R "),
        Check("help", "Home", sees: "1 to 9 of"), Check("help", "Escape", seesNo: "Keys: "),
        Check("help", "?", "Enter", seesNo: "Keys: "), Check("help", "?", "?", seesNo: "Keys: "),
        Check("dialog", "x", sees: "[Keep Going]"), Check("dialog", "Right", sees: "[Cancel Task]"),
        Check("dialog", "l", sees: "[Pause Instead]"), Check("dialog", "h", sees: "[Cancel Task]"),
        Check("dialog", "Left", sees: "[Keep Going]"),
        Check("dialog", "Down", sees: "[Cancel Task]"),
        Check("dialog", "Up", sees: "[Keep Going]"), Check("dialog", "j", sees: "[Cancel Task]"),
        Check("dialog", "k", sees: "[Keep Going]"), Check("dialog", "Tab", sees: "[Cancel Task]"),
        Check("dialog", "PageDown", "PageUp", "End", "Home", sees: "[Cancel Task]"),
        Check("dialog", "Escape", sees: "\"Import the archive\" goes on"),
        Check("dialog", "x", "q", sees: "\"Import the archive\" goes on"),
        Check("dialog", "x", "Enter", sees: "\"Import the archive\" goes on"),
        Check("slot", "2", sees: "slot: 2_"), Check("slot", "5", sees: "slot: 25_"),
        Check("slot", "Backspace", sees: "slot: 2_"), Check("slot", "Enter", sees: "d dismiss"),
        Check("slot", "1", "Enter", sees: "x cancel"),
        Check("slot", "3", sees: "slot: 3_"), Check("slot", "Escape", seesNo: "slot: "),
        Check("slot", "3", "Down", sees: "d dismiss"), Check("slot", "3", "Up", sees: "x cancel"),
        Check("slot", "3", "End", seesNo: "x cancel"), Check("slot", "3", "Home", sees: "x cancel"),
        Check("slot", "3", "PageDown", seesNo: "x cancel"),
        Check("slot", "3", "PageUp", sees: "x cancel"),
        Check("filter", "/", "q", sees: "filter: q_  0 hits"),
        Check("filter", "Backspace", sees: "filter: _"),
        Check("filter", "B", "r", "Enter", sees: "/Br: 1 hit"),
        Check("filter", "Escape", seesNo: "/Br: "),
        Check("filter", "/", "B", sees: "filter: B_"),
        Check("filter", "Escape", seesNo: "filter: "),
        Check("filter", "Home", sees: "x cancel"),
    ]

    @Test("on the board")
    func onBoard() async throws {
        try await expectKeys(Self.board, in: "the board", opening: [])
    }

    @Test("in a copy of the board")
    func inCopy() async throws {
        try await expectKeys(Self.ordered, in: "a copy of the board", opening: ["o", "o", "j"])
    }

    @Test("in the tree of a job")
    func inJob() async throws {
        try await expectKeys(Self.job, in: "one job", opening: ["Enter"])
    }

    @Test("in the mosaic")
    func inMosaic() async throws {
        try await expectKeys(Self.mosaic, in: "the mosaic", opening: ["m"])
    }

    @Test("in front of a view: in the help, a question, and lines that are typed")
    func inFront() async throws {
        try await withTasks(rows: 12) { session, _ in
            try await expect(Self.inFront, session)
            // What is in no table of theirs does nothing.
            for (opening, shown, own) in [
                ("?", "Keys: ", "jkq?"), ("x", "Keep Going", "hjklq"),
                ("7", "slot: 7_", "0123456789"),
            ] {
                try await session.press(opening)
                try await session.wait(for: shown)
                let before = Self.calm(try await session.screen())
                for character in Self.printable where !own.contains(character) {
                    try await session.press(String(character))
                }
                try await Task.sleep(for: .milliseconds(300))
                #expect(Self.calm(try await session.screen()) == before)
                try await session.press("Escape")
                try await session.wait(forNo: shown)
            }
            try await session.press("q")
            #expect(try await session.end().state == "exited 0")
        }
    }

    private static let printable = (33...126).compactMap { Unicode.Scalar($0).map(Character.init) }

    /// A dashboard in front of a job with parts, one that has failed, and another.
    private func withTasks(
        rows: Int,
        _ act: (TerminalSession, Reporter) async throws -> Void
    ) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            // Nothing stalls meanwhile, which would be seen.
            let fields = #""total":100,"cancellable":true,"pausable":true,"expectEvery":900"#
            let part = #""total":10,"expectEvery":900"#
            // One after the other, so that each has the slot or the place that is meant.
            for (id, title, fields) in [
                ("a", "Import the archive", fields),
                ("b", "Part one", part + #","parent":"a""#),
                ("c", "Part two", part + #","parent":"a""#),
                ("d", "Part three", part + #","parent":"a""#),
                ("e", "Deep", part + #","parent":"d""#),
                ("f", "Broken", part), ("g", "Copy the films", part),
            ] {
                worker.begin(id, title, fields)
                if id == "f" { worker.end(id, "failed", reason: "no space left") }
                try await worker.sync()
            }
            let session = try await TerminalSession.start(
                on: bus,
                ["watch", "--no-autostart"],
                columns: 100,
                rows: rows
            )
            try await session.wait(for: "Copy the films")
            try await act(session, worker)
        }
    }

    /// Presses the keys of each, and waits for what is to be seen then.
    private func expect(_ checks: [Check], _ session: TerminalSession) async throws {
        for check in checks {
            do {
                try await session.press(check.keys, sees: check.sees, isAbsent: check.isAbsent)
            } catch {
                throw Mistake(check: "\(check.name) (\(check.keys))", error: error)
            }
        }
    }

    private func expectKeys(
        _ checks: [Check],
        in view: String,
        opening: [String]
    ) async throws {
        try await withTasks(rows: 45) { session, worker in
            try await session.press("Tab")
            try await session.wait(for: "Details: Import")
            for key in opening { try await session.press(key) }

            let listed = try await namesInHelp(of: view, session)
            // What can be typed after `/` is tried by DashboardCoreTests.
            let typed = ["/! /failed"] + (view == "the mosaic" ? [] : ["/host: /key:"])
            let tried = Set(checks.map(\.name) + ["p", "q, Ctrl-C"] + typed)
            #expect(listed == tried, "the help lists other keys than are tried")
            try await expect(checks, session)
            #expect(try await session.state().announcements.contains { $0.hasPrefix("52;c;") })
            if view == "one job" { try await session.press("Home") }
            if view == "the mosaic" {
                try await session.press(["p"], sees: "Enter shows the task in its tree")
            } else {
                try await session.press("p")
                try await worker.event("pause") { $0.event == "pause" && $0.id == "a" }
            }
            try await expectNothing(byKeysBeside: checks, session)
            try await session.press("q")
            #expect(try await session.end().state == "exited 0")
        }
    }

    private struct Mistake: Error {
        var check: String
        var error: any Error
    }

    /// The keys that the help of a view lists.
    private func namesInHelp(
        of view: String,
        _ session: TerminalSession
    ) async throws -> Set<String> {
        try await session.press("?")
        let screen = try await session.wait(for: "Keys: \(view)")
        try await session.press("Escape")
        try await session.wait(forNo: "Keys: \(view)")
        let names = screen.lines.compactMap { line -> String? in
            guard let match = line.firstMatch(of: /│ (.{13}) [a-z].* │/) else { return nil }
            return match.output.1.trimmingCharacters(in: .whitespaces)
        }
        return Set(names)
    }

    /// Presses every other key, one after the other.
    private func expectNothing(
        byKeysBeside checks: [Check],
        _ session: TerminalSession
    ) async throws {
        let known = Set(
            checks.flatMap(\.keys) + ["p", "q", "Left", "Right", "h", "l", "Enter", "+", "-", "="]
                + (1...9).map(String.init) + ["n", "N", "D", "o"]
        )
        let others = Self.printable.map(String.init).filter { !known.contains($0) }
        #expect(others.count > 50)
        // The notes of the keys before have gone.
        try await Task.sleep(for: .seconds(7))
        let before = Self.calm(try await session.screen())
        for key in others + ["Backspace", "F1", "Insert", "Delete"] { try await session.press(key) }
        try await Task.sleep(for: .milliseconds(500))
        let after = Self.calm(try await session.screen())
        #expect(before == after)
        #expect(after.last?.contains("q quit") == true)
    }

    /// The screen without what moves and what counts seconds.
    private static func calm(_ screen: TerminalScreen) -> [String] {
        screen.lines.map { line in
            String(line.unicodeScalars.map { $0.isASCII ? Character($0) : "." })
                .replacing(/[0-9.]+/, with: "0")
        }
    }
}
