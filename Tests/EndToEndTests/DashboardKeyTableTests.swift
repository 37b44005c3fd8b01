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
            Check("n N", "n", sees: "Details: Broken"),
            // The broker is asked where that is: the next key waits until the answer is seen.
            Check("Home End", "Home", "Enter", sees: "Part three"),
            Check("n N", "N", sees: "Details: Broken"),
            Check("Home End", "Home", "Enter", sees: "Part three"),
            Check("Esc", "Escape", seesNo: "Details:"),
            Check("Esc", "Escape", sees: "Broken "),
            Check("Esc", "Enter", "Tab", sees: "Details: Import"),
        ]

    private static let mosaic =
        everywhere.filter { $0.name != "x" && $0.name != "d" } + [
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
            Check("m", "m", sees: "cell 1: "),
            Check("Esc", "Escape", seesNo: "Details:"),
            Check("Esc", "Escape", sees: "Part three"),
            Check("Tab", "Tab", sees: "Details: "),
            Check("n N", "m", "n", sees: "Details: Broken"),
            Check("Home End", "Home", sees: "Details: Import"),
            Check("m", "m", sees: "cell 1: "),
            Check("n N", "N", sees: "Details: Broken"),
            Check("Home End", "Home", sees: "Details: Import"),
            Check("m", "m", sees: "cell 1: "),
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

    private func expectKeys(
        _ checks: [Check],
        in view: String,
        opening: [String]
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
                rows: 45
            )
            try await session.wait(for: "Copy the films")
            try await session.press("Tab")
            try await session.wait(for: "Details: Import")
            for key in opening { try await session.press(key) }

            let listed = try await namesInHelp(of: view, session)
            // What can be typed after `/` is tried by DashboardCoreTests.
            let typed = ["/! /failed"] + (view == "the mosaic" ? [] : ["/host: /key:"])
            let tried = Set(checks.map(\.name) + ["p", "q, Ctrl-C"] + typed)
            #expect(listed == tried, "the help lists other keys than are tried")
            for check in checks {
                for key in check.keys { try await session.press(key) }
                let pattern = NSRegularExpression.escapedPattern(for: check.sees)
                do {
                    try await session.wait(forPattern: pattern, isAbsent: check.isAbsent)
                } catch {
                    throw Mistake(check: "\(check.name) (\(check.keys))", error: error)
                }
            }
            #expect(try await session.state().announcements.contains { $0.hasPrefix("52;c;") })
            if view == "one job" { try await session.press("Home") }
            try await session.press("p")
            if view == "the mosaic" {
                try await session.wait(for: "Enter shows the task in its tree")
            } else {
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
        let others = (33...126).compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
            .filter { !known.contains($0) }
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
