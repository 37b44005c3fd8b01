import ProgressBus
import TaskTree
import Testing

@testable import ProgressBusCommand

/// What a shell offers for a task.
@Suite("Jobs offered to a shell")
struct JobNamesTests {
    private func job(
        _ key: String,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        var job = Samples.job()
        job.key = key
        change(&job)
        return job
    }

    private func offered(_ line: String, _ jobs: [TaskSnapshot]) -> [String] {
        JobNames(words: line.split(separator: " ").map(String.init)).offered(of: jobs)
    }

    @Test("Each command is offered the jobs it makes sense for")
    func fitting() {
        let able = TaskOptions(isCancellable: true, isPausable: true)
        let jobs = [
            job("plain"),
            job("able") { $0.options = able },
            job("held") { ($0.options, $0.state) = (able, .paused) },
            job("failed") { ($0.options, $0.state) = (able, .failed) },
        ]
        #expect(offered("progressbus cancel", jobs) == ["able", "held"])
        #expect(offered("progressbus pause --yes", jobs) == ["able"])
        #expect(offered("progressbus resume x", jobs) == ["held"])
        #expect(offered("progressbus dismiss", jobs) == ["failed"])
        #expect(offered("progressbus watch", jobs) == ["plain", "able", "held", "failed"])
    }

    @Test("A key that would be read as a slot, an id or an option is marked as a key")
    func marked() {
        let keys = ["12", "c0ffee", "c0ff", "key:a", "id:b", "--all", "Back up photos"]
        #expect(
            offered("progressbus watch", keys.map { job($0) }) == [
                "key:12", "key:c0ffee", "c0ff", "key:key:a", "key:id:b", "key:--all",
                "Back up photos",
            ]
        )
    }

    @Test("A key that a terminal would not show as it is, is not offered")
    func hostile() {
        #expect(offered("progressbus watch", ["", "a\u{1B}[2J", "b\nc"].map { job($0) }).isEmpty)
    }

    @Test(
        "Jobs of this machine are not offered for a command about another one",
        arguments: [("status --on host", true), ("wait --on=host", true), ("wait on", false)]
    )
    func elsewhere(line: String, isElsewhere: Bool) {
        let words = ["progressbus"] + line.split(separator: " ").map(String.init)
        #expect(JobNames(words: words).isElsewhere == isElsewhere)
    }

    @Test("Tasks of scripts are offered by id wherever they are, as long as they have not ended")
    func detached() {
        func task(
            _ index: UInt64,
            _ change: (inout TaskSnapshot) -> Void = { _ in }
        ) -> TaskSnapshot {
            job("script") {
                $0.id = TaskID(index: index, session: SessionID(rawValue: 7))
                $0.process = nil
                $0.state = .running
                change(&$0)
            }
        }
        let own = job("own") {
            $0.children = [
                task(2), task(3) { $0.state = .waiting }, task(4) { $0.state = .paused },
            ]
        }
        let jobs = [own, task(5), task(6) { $0.state = .failed }]
        let names = JobNames(words: ["progressbus", "end"])
        #expect(names.detachedTasks(in: jobs) == [2, 4, 5].map { "\($0)-0000000000007" })
        #expect(names.detachedTasks(in: (1...1_000).map { task($0) }).count == 200)
    }

    @Test("The bus is the one that the line names")
    func endpoint() {
        func endpoint(_ line: String) -> String? {
            JobNames(words: line.split(separator: " ").map(String.init)).endpoint
        }
        #expect(endpoint("progressbus cancel --endpoint ipc:///a n") == "ipc:///a")
        #expect(endpoint("progressbus cancel --endpoint=ipc:///a") == "ipc:///a")
        #expect(endpoint("progressbus cancel --endpoint") == nil)
        #expect(endpoint("progressbus cancel") == nil)
    }
}
