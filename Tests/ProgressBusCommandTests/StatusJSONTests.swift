import BusProtocol
import DashboardCore
import Foundation
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

@Suite("JSON for programs")
struct StatusJSONTests {
    /// The keys that command-line documentation promises.
    private static let taskKeys = [
        "id", "parent", "key", "slot", "place", "title", "detail", "unit", "style", "background",
        "tint", "state", "stalled", "silent", "needsAttention", "indeterminate", "percent",
        "fraction",
        "displayFraction", "completed", "total", "totalIsEstimate", "share", "attempt", "rate",
        "secondsLeft", "elapsed", "secondsSinceAdvance", "startedAt", "endedAt", "reason", "exit",
        "problem", "advice", "cancellable", "pausable", "consequence", "host", "process",
        "counts",
        "byHost", "childrenLeftOut", "children",
    ]

    @Test("a task that fell silent: what is wrong and what to do, as the views say it")
    func trouble() throws {
        let silent = Samples.job {
            $0.progress.silent = true
            $0.progress.needsAttention = true
        }
        let text = try JSONLine.text(StatusJSON(Samples.board([silent, Samples.job(2)])))
        let jobs = try #require(parse(text)?["jobs"] as? [[String: Any]])
        let sentence = TaskSentence(silent)
        #expect(jobs[0]["problem"] as? String == sentence.problem && sentence.problem != nil)
        #expect(jobs[0]["advice"] as? String == sentence.advice && sentence.advice != nil)
        #expect(jobs[1]["problem"] is NSNull && jobs[1]["advice"] is NSNull)
    }

    @Test("status has the promised keys and values, null for what is unknown")
    func statusShape() throws {
        var job = Samples.job()
        job.children = [Samples.child(2, "Scan")]
        let text = try JSONLine.text(StatusJSON(Samples.board([job])))
        #expect(!text.contains("\n"))
        let object = try #require(parse(text))
        let broker = try #require(object["broker"] as? [String: Any])
        #expect(broker["epoch"] as? String == "00000000000000ab")
        #expect(broker["uptime"] as? Double == 12.5)
        #expect(broker["settling"] as? Bool == false)
        #expect(broker["sessions"] as? Int == 3)
        #expect(broker["tasks"] as? Int == 41)
        #expect(broker["jobs"] as? Int == 1)
        let task = try #require((object["jobs"] as? [[String: Any]])?.first)
        #expect(Set(Self.taskKeys).subtracting(task.keys).isEmpty)
        #expect(task["id"] as? String == Samples.id(1).description)
        #expect(task["parent"] is NSNull)
        #expect(task["slot"] as? Int == 1)
        #expect(task["place"] is NSNull)
        #expect(task["style"] as? String == "bar")
        #expect(task["state"] as? String == "running")
        #expect(task["percent"] as? Int == 42)
        #expect(task["fraction"] as? Double == 0.42)
        #expect(task["rate"] as? Double == 3.1)
        #expect(task["secondsLeft"] as? Double == 18.7)
        #expect(task["elapsed"] as? Double == 13.5)
        #expect(task["secondsSinceAdvance"] as? Double == 0.2)
        #expect(task["startedAt"] as? String == "2026-11-21T03:00:00Z")
        #expect(task["endedAt"] is NSNull)
        #expect(task["exit"] is NSNull)
        #expect((task["process"] as? [String: Any])?["pid"] as? Int == 4_711)
        let counts = try #require(task["counts"] as? [String: Any])
        #expect(
            Set(counts.keys) == ["waiting", "running", "succeeded", "failed", "cancelled", "lost"]
        )
        let child = try #require((task["children"] as? [[String: Any]])?.first)
        #expect(Set(child.keys) == Set(task.keys))
        #expect(child["slot"] is NSNull)
        #expect(child["place"] as? Int == 2)
        #expect(child["total"] is NSNull)
        #expect(child["process"] is NSNull)
    }

    @Test("an exit is a status or a signal, never both")
    func exits() throws {
        let status = Samples.job { $0.progress.exitStatus = 1 }
        let signal = Samples.job { $0.progress.exitSignal = 9 }
        let texts = try [status, signal].map { try JSONLine.text(TaskJSON($0)) }
        #expect(texts[0].contains(#""exit":{"status":1}"#))
        #expect(texts[1].contains(#""exit":{"signal":9}"#))
    }

    @Test("the attempt of a ticket nobody has redeemed is 0")
    func unredeemed() throws {
        let ticket = Samples.child(2, "Upload") {
            $0.progress.state = .waiting
            $0.description_p.attempt = 0
        }
        let object = try #require(parse(try JSONLine.text(TaskJSON(ticket))))
        #expect(object["attempt"] as? Int == 0)
    }

    @Test("what no view shows because it is not known is null")
    func unknown() throws {
        let task = Samples.job {
            $0.progress.clearTotal()
            $0.progress.counts.running = 3
            $0.progress.bothFractions = 0.99
            $0.progress.secondsLeft = 0
        }
        let object = try #require(parse(try JSONLine.text(TaskJSON(task))))
        #expect(object["displayFraction"] is NSNull)
        #expect(object["secondsLeft"] is NSNull)
    }

    @Test("numbers that are none become null or zero, not broken JSON")
    func nonsense() throws {
        let task = Samples.job {
            $0.progress.rate = .nan
            $0.progress.secondsLeft = .infinity
            $0.progress.fraction = .nan
            $0.progress.begun = .infinity
        }
        let object = try #require(parse(try JSONLine.text(TaskJSON(task))))
        #expect(object["rate"] is NSNull)
        #expect(object["secondsLeft"] is NSNull)
        #expect(object["fraction"] as? Double == 0)
        #expect(object["startedAt"] is NSNull)
    }

    @Test("watch gives one object per line with time and event")
    func watchEvents() throws {
        var formatter = JSONFormatter()
        let time = Date(timeIntervalSince1970: Samples.begun + 0.25)
        var board = Samples.board([Samples.job(1), Samples.job(2)])
        board.revisions = [Samples.id(1): 5, Samples.id(2): 6]
        let first = try formatter.lines(for: WatchedPicture(board, since: [:]), at: time)
        #expect(try events(first) == ["connected", "job", "job"])
        #expect(parse(first[0])?["time"] as? String == "2026-11-21T03:00:00.250Z")

        let former = board.revisions
        board.revisions[Samples.id(2)] = 7
        board.left = [Board.Departure(task: Samples.job(3), reason: "dismissed")]
        board.messages = [
            TaskMessage(task: Samples.id(1), job: Samples.id(1), text: "half\nway", time: time)
        ]
        let second = try formatter.lines(for: WatchedPicture(board, since: former), at: time)
        #expect(try events(second) == ["job", "log", "left"])
        let changed = parse(second[0])?["job"] as? [String: Any]
        #expect(changed?["id"] as? String == Samples.id(2).description)
        #expect(parse(second[1])?["text"] as? String == "half\nway")
        #expect(parse(second[2])?["reason"] as? String == "dismissed")
        #expect(second.allSatisfy { !$0.contains("\n") })

        board.connection = .reconnecting
        board.left = []
        board.messages = []
        let third = try formatter.lines(for: WatchedPicture(board, since: former), at: time)
        #expect(try events(third) == ["disconnected"])
    }

    private func parse(_ text: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    }

    private func events(_ lines: [String]) throws -> [String] {
        try lines.map { try #require(parse($0)?["event"] as? String) }
    }
}
