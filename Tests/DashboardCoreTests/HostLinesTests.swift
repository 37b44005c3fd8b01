import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// How the details of a job say where its tasks are.
@Suite struct HostLinesTests {
    private func host(_ name: String, _ build: (inout StateCounts) -> Void) -> JobHosts.Host {
        var counts = StateCounts()
        build(&counts)
        return JobHosts.Host(name: name, counts: counts)
    }

    @Test func oneHostIsNotSaidAndOfSeveralThoseWithTroubleComeFirst() {
        #expect(HostLines.lines(nil).isEmpty)
        let fine = host("render-1") {
            $0.running = 2
            $0.succeeded = 1_234
        }
        #expect(HostLines.lines(JobHosts(hosts: [fine])).isEmpty)
        let bad = host("render-2") {
            $0.failed = 1
            $0.lost = 3
        }
        let unknown = host("") { $0.waiting = 4 }
        #expect(
            HostLines.lines(JobHosts(hosts: [unknown, fine, bad])) == [
                "on render-2: 1 failed, 3 lost", "on a host that is not known: nothing begun",
                "on render-1: 2 running, 1,234 done",
            ]
        )
    }

    @Test func manyAreOneLineAndWhatIsNotCountedIsSaid() {
        var spread = JobHosts(
            hosts: (0..<10).map { number in host("node-\(number)") { $0.running = 1 } }
        )
        spread.otherHosts = 5
        spread.others.running = 7
        spread.isPartial = true
        let lines = HostLines.lines(spread)
        #expect(lines.count == 10)
        #expect(lines[8] == "on 7 more: 9 running")
        #expect(lines[9] == "by host: not all tasks, there are too many")
    }

    @Test("The details of a job say it as soon as it is known")
    func details() throws {
        var stage = Stage(columns: 180, rows: 24)
        stage.report(Samples.board)
        stage.press(.tab)
        #expect(stage.model.followed.contains(.hosts(of: .number(1))))
        #expect(stage.find("on render-1") == nil)
        var update = ViewportUpdate(connection: .live)
        update.hosts[.number(1)] = JobHosts(
            hosts: ["render-1", "render-2"].map { name in host(name) { $0.running = 1 } }
        )
        stage.give(.update(update))
        #expect(stage.find("on render-1: 1 running") != nil)
    }
}
