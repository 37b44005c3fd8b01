import Foundation
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

/// What the program reads and prints is what the schemas and pages of `Protocol` say.
@Suite("JSON Schemas", .serialized, .transcript, .timeLimit(.minutes(5)))
struct SchemaTests {
    private static let ticket = ProgressTicket(
        task: TaskID(index: 1, session: SessionID(rawValue: 1)),
        endpoint: nil
    ).text

    @Test("1,000 tasks in random states, as status and every event of watch print them")
    func randomStates() async throws {
        try await withBus { bus in
            let seed = UInt64.random(in: 0 ... .max)
            var random = RandomTasks(seed: seed)
            var status: [String] = []
            var lines: [String] = []
            for _ in 0..<1_000 {
                var board = Board(connection: .live)
                board.jobs = [random.job()]
                board.broker = Board.Broker()
                let hosts = random.hosts().map { [board.jobs[0].id: $0] } ?? [:]
                status.append(try JSONLine.text(StatusJSON(board, hosts: hosts)))
                board.left = [Board.Departure(task: random.job(), reason: "evicted")]
                board.messages = [random.message()]
                var formatter = JSONFormatter()
                var picture = WatchedPicture(board, since: [:])
                picture.changed = nil
                lines += try formatter.lines(for: picture, at: .now)
                let gone = WatchedPicture(Board(connection: .reconnecting), since: [:])
                lines += try formatter.lines(for: gone, at: .now)
                #expect(lines.count == 5 * status.count)
            }
            print("seed \(seed)")
            try await SchemaCheck.expect(status, toBe: "status", on: bus)
            try await SchemaCheck.expect(lines, toBe: "watch-line", on: bus)
        }
    }

    @Test("what a real bus prints: status, watch through a broker's death, the events of report")
    func realOutput() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "0.2")
            let watch = try bus.start("watch", ["--json", "--depth", "2"])
            let worker = try bus.startReporter("--title", "Whole", "--cancellable", "--pausable")
            worker.begin("a", "Part", #""total":3,"unit":"files","expectEvery":60"#)
            worker.say(#"{"op":"log","id":"a","text":"a word"}"#)
            _ = try await worker.ticket("Other part", under: "a")
            try await worker.sync()
            for verb in ["pause", "resume", "cancel"] {
                _ = try await bus.run(verb, "key:Whole")
                try await worker.event(verb) { $0.event == verb }
            }
            let status = try await bus.run("status", "--json")
            try await SchemaCheck.expect([status.output], toBe: "status", on: bus)
            // A job that succeeds is the first to leave.
            #expect(try await bus.run("run", "--", "true").end == .exited(0))
            func awaitEvents(_ kinds: [String]) async throws {
                try await eventually("\(kinds)", instead: { watch.output }) {
                    kinds.allSatisfy { watch.output.contains(#""event":"\#($0)""#) }
                }
            }
            try await awaitEvents(["connected", "job", "left", "log"])
            try #require(kill(try #require(bus.brokerPID), SIGKILL) == 0)
            try await awaitEvents(["disconnected"])
            worker.end("a", "succeeded")
            worker.end("root", "cancelled")
            watch.send(SIGINT)
            _ = try await watch.end()
            try await SchemaCheck.expect(lines(watch.output), toBe: "watch-line", on: bus)
            _ = try await worker.process.finish()
            try await SchemaCheck.expect(
                lines(worker.process.output),
                toBe: "report-event",
                on: bus
            )
        }
    }

    @Test("report reads just the fields that the schema names, of each operation")
    func operations() throws {
        let schema = try SchemaCheck.schema("report-line")
        let operations = try #require(schema["oneOf"] as? [[String: Any]])
        for operation in operations {
            let properties = try #require(operation["properties"] as? [String: [String: Any]])
            let name = try #require(properties["op"]?["const"] as? String)
            var example: [String: Any] = ["op": name]
            for field in try #require(operation["required"] as? [String]) where field != "op" {
                example[field] = field == "state" ? "failed" : "x"
            }
            if name == "redeem" { example["ticket"] = Self.ticket }
            let line = try JSONSerialization.data(withJSONObject: example)
            var read: Set<String> = []
            _ = try ReportOperation(parsing: line) { read = $0.read }
            #expect(read == Set(properties.keys), "\(name)")
        }
        #expect(operations.count == 8)
    }

    @Test("the pages about JSON are made from the schemas as they are")
    func pages() async throws {
        try await withBus { bus in
            let made = try bus.start(
                program: Programs.packagePath("Tools/Generate/contracts"),
                ["--check"]
            )
            #expect(try await made.end() == .exited(0), "\(made.errorOutput)")
        }
    }

    private func lines(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init)
    }
}
