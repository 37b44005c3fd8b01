import Foundation
import Synchronization
import Testing

/// A program that runs on a terminal in memory; see Tools/TestSupport/terminal/screen.py.
///
/// It ends with its bus. Safe to use from any thread.
final class TerminalSession: Sendable {
    /// What went wrong, with what was on the screen.
    struct Failure: Error, CustomStringConvertible {
        var what: String
        var screen: TerminalScreen?
        var description: String { "\(what)\n\(screen?.description ?? "no screen")" }
    }

    let name: String
    let process: ChildProcess
    private let replies: String
    private let number = Mutex(0)
    private let graceForAnswers: Duration = .seconds(20)

    /// Starts `progressbus` with these arguments on a terminal of that size.
    ///
    /// TERM is xterm-256color and the locale C.UTF-8, unless the additions to the environment say
    /// otherwise; the options are more members of `start` in screen.py, such as `"graphemes":true`.
    static func start(
        on bus: TemporaryBus,
        _ arguments: [String] = ["watch"],
        columns: Int = 80,
        rows: Int = 24,
        environment additions: [String: String] = [:],
        options: String = ""
    ) async throws -> TerminalSession {
        try await start(
            on: bus,
            program: Programs.progressbus(),
            arguments,
            columns: columns,
            rows: rows,
            environment: additions,
            options: options
        )
    }

    /// Starts any program; see the other.
    static func start(
        on bus: TemporaryBus,
        program: String,
        _ arguments: [String],
        columns: Int = 80,
        rows: Int = 24,
        environment additions: [String: String] = [:],
        options: String = ""
    ) async throws -> TerminalSession {
        let session = try TerminalSession(on: bus, name: arguments.joined(separator: " "))
        var environment = bus.environment
        environment["TERM"] = "xterm-256color"
        environment["LC_ALL"] = "C.UTF-8"
        for name in ["NO_COLOR", "ACCESSIBLE", "COLORTERM"] { environment[name] = nil }
        environment.merge(additions) { $1 }
        let command = try json([program] + arguments)
        let more = options.isEmpty ? "" : "," + options
        try await session.ask(
            "start",
            #""command":\#(command),"environment":\#(try json(environment)),"#
                + #""columns":\#(columns),"rows":\#(rows)\#(more)"#,
            TerminalReply.self
        )
        return session
    }

    private init(on bus: TemporaryBus, name: String) throws {
        self.name = name
        replies = bus.path("terminal-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            atPath: replies,
            withIntermediateDirectories: true
        )
        process = try bus.start(
            program: try TerminalPrograms.python(),
            [try TerminalPrograms.screen(), "--replies", replies]
        )
    }

    /// Makes a request of screen.py and waits for its reply.
    @discardableResult
    func ask<Reply: TerminalAnswer>(
        _ request: String,
        _ fields: String = "",
        _ type: Reply.Type,
        within patience: Duration = .seconds(20)
    ) async throws -> Reply {
        try await answer(to: send(request, fields), request, type, within: patience)
    }

    /// Asks the terminal; returns the number by which it answers.
    func send(_ request: String, _ fields: String) -> Int {
        let id = number.withLock { number in
            number += 1
            return number
        }
        let more = fields.isEmpty ? "" : "," + fields
        process.write(#"{"id":\#(id),"do":"\#(request)"\#(more)}"# + "\n")
        return id
    }

    func answer<Reply: TerminalAnswer>(
        to id: Int,
        _ request: String,
        _ type: Reply.Type,
        within patience: Duration
    ) async throws -> Reply {
        let path = replies + "/\(id).json"
        let data = try await eventually(
            "the terminal answers \(request)",
            within: patience + graceForAnswers,
            every: .milliseconds(5),
            instead: { self.process.errorOutput }
        ) {
            FileManager.default.contents(atPath: path)
        }
        try? FileManager.default.removeItem(atPath: path)
        let decoder = JSONDecoder()
        if let error = try decoder.decode(TerminalReply.self, from: data).error {
            throw Failure(what: "\(request): \(error)", screen: nil)
        }
        return try decoder.decode(type, from: data)
    }

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}

/// Where the parts of the terminal are; Tools/TestSupport/setup-terminal makes the environment.
enum TerminalPrograms {
    struct Missing: Error, CustomStringConvertible {
        var path: String
        var description: String {
            "there is no \(path); run Tools/TestSupport/setup-terminal first"
        }
    }

    static func python() throws -> String {
        try path(".build/terminal-venv/bin/python")
    }

    static func screen() throws -> String {
        try path("Tools/TestSupport/terminal/screen.py")
    }

    /// A path below the package, which is above this file.
    private static func path(_ relative: String) throws -> String {
        var directory = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { directory.deleteLastPathComponent() }
        let path = directory.path + "/" + relative
        guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
        return path
    }
}
