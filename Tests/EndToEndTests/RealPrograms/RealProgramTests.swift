import Foundation
import Synchronization
import Testing

/// Programs of others through the real `run`, each once without and once with it, on a terminal.
@Suite("run: real programs", .transcript, .timeLimit(.minutes(5)))
struct RealProgramTests {
    @Test(
        "print what they print without run, end as they do, and are on the bus",
        arguments: RealProgram.all
    )
    func program(_ program: RealProgram) async throws {
        // In `Tools/test` never of tqdm: the Python part has made .build/python-venv before these
        // tests begin, or the run has failed. The others are the system's.
        if let missing = try await missing(for: program) {
            try Test.cancel("not installed here: \(missing)")
        }
        try await withBus { bus in
            var variables = Self.variables
            _ = try await bus.startBroker("--linger", "600")
            variables["SERVER"] = try await server(on: bus)
            let setup = "mkdir $HERE/in && cd $HERE/in && { \(program.setup)\n}"
            let ready = try await bus.runScript(setup, adding: variables)
            try #require(ready.end == .exited(0), "\(ready)")

            let bare = try await record("bare", "", program, bus, variables)
            let run = "$RUN --title '\(program.name)' --"
            let through = try await record("through", run, program, bus, variables)
            switch program.comparison {
            case .bytes: #expect(through == bare)
            case .words: #expect(Self.words(through) == Self.words(bare))
            }
            let job = try #require(try await bus.status().job(titled: program.name))
            #expect(Self.line(job) == program.tree.first)
            // Parts that took no longer than a tick are rows of their own no more.
            for part in job.children { #expect(program.tree.contains(Self.line(part))) }
            #expect(job.children.count + job.childrenLeftOut == program.tree.count - 1)
            #expect(job.children.last.map(Self.line) ?? program.tree.last == program.tree.last)
        }
    }

    /// Something that it needs and that is not there.
    private func missing(for program: RealProgram) async throws -> String? {
        let missing = Mutex<String?>(nil)
        try await withBus { bus in
            for needed in program.needs {
                let look = needed.contains(" ") ? needed : "command -v \(needed)"
                let result = try await bus.runScript(look, adding: Self.variables)
                if result.end != .exited(0) { missing.withLock { $0 = needed } }
            }
        }
        return missing.withLock { $0 }
    }

    /// For the shell text of programs.
    private static var variables: [String: String] {
        [
            "LC_ALL": "C.UTF-8", "PIP_CONFIG_FILE": "/dev/null", "PYTHON": Programs.python,
            "RECORD": Programs.packagePath("Tools/Generate/recording"),
        ]
    }

    /// Runs it on a terminal; returns what it has printed there.
    private func record(
        _ name: String,
        _ prefix: String,
        _ program: RealProgram,
        _ bus: TemporaryBus,
        _ variables: [String: String]
    ) async throws -> String {
        let result = try await bus.runScript(
            """
            rm -rf $HERE/work && mkdir $HERE/work && cd $HERE/work || exit 99
            \(program.before)
            COMMAND='exec \(prefix.replacing("'", with: #"'\''"#)) \(program.command)'
            python3 "$RECORD" "$HERE/\(name)" sh -c "$COMMAND"
            """,
            adding: variables,
            within: .seconds(120)
        )
        let printed = bus.contents(name) ?? ""
        #expect(result.end == .exited(program.status), "\(name): \(result)\n\(printed)")
        return printed
    }

    /// Serves the files of the bus, three megabytes in a second; returns its address.
    private func server(on bus: TemporaryBus) async throws -> String {
        let text = """
            import http.server, time
            class Handler(http.server.SimpleHTTPRequestHandler):
                def copyfile(self, source, target):
                    while block := source.read(30_000):
                        target.write(block)
                        time.sleep(0.01)
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            print(server.server_port, flush=True)
            server.serve_forever()
            """
        let server = try bus.script("cd $HERE && exec python3 -c \"$TEXT\"", adding: ["TEXT": text])
        return try await eventually("the server listens", instead: { server.errorOutput }) {
            server.outputLines.first.map { "http://127.0.0.1:\($0)" }
        }
    }

    /// Each line as it was when it ended, without numbers and with one of each run of characters.
    static func words(_ text: String) -> [String] {
        let number = /[0-9]+(?:[.,:][0-9]+)*(?: ?[kKMGT]?i?(?:B|bytes)?(?:\/s)?\b)?|--:--:--/
        return text.replacing(/\e\[[0-9;?]*[A-Za-z]/, with: "").split(separator: /\r*\n/).map {
            line in
            let last = line.split(separator: "\r").last ?? ""
            let plain = last.replacing(number, with: "0").replacing(/(?:\s*0)+/, with: " 0")
            return String(plain.replacing(/\s+/, with: " ").replacing(/(.)\1+/) { $0.output.1 })
        }
    }

    private static func line(_ task: StatusTask) -> String {
        let total = task.total.map { (task.totalIsEstimate ? "~" : "") + String($0) } ?? "–"
        return "\(task.title): \(task.completed)/\(total) \(task.unit), \(task.state)"
    }
}
