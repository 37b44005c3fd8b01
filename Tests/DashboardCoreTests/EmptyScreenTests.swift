import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// What is said where there is nothing to show.
@Suite("Empty screens")
struct EmptyScreenTests {
    private static let elsewhere = "ipc:///tmp/somewhere/else/than/the/default/bus"

    private func stage(columns: Int, rows: Int, isLive: Bool, endpoint: String) -> Stage {
        var stage = Stage(columns: columns, rows: rows) {
            $0.endpoint = endpoint
            $0.isDefaultBus = false
        }
        stage.connection = isLive ? .live : .connecting
        stage.deliver()
        if !isLive { stage.wait(5) }
        return stage
    }

    @Test(
        "what is to be typed in another terminal goes to this bus, and is whole on a narrow screen",
        arguments: [(40, 12), (80, 24), (200, 60)]
    )
    func commands(columns: Int, rows: Int) {
        for isLive in [true, false] {
            let stage = stage(
                columns: columns,
                rows: rows,
                isLive: isLive,
                endpoint: Self.elsewhere
            )
            let said = stage.screen.filter { $0 != " " && $0 != "\n" }
            let export = "exportPROGRESSBUS_ENDPOINT=\(Self.elsewhere)"
            #expect(said.contains(export), "\(stage.screen)")
            let commands =
                isLive
                ? ["progressbusrun-j4--gzip-k{}:::*.log", "progressbusbegin\"Backup\"--total3"]
                : ["progressbusbroker", "progressbusdoctor"]
            for command in commands { #expect(said.contains(command), "\(stage.screen)") }
        }
        var plain = Stage(columns: columns, rows: rows)
        plain.deliver()
        #expect(plain.screen.contains("In another terminal"))
        #expect(!plain.screen.contains("export"))
    }

    @Test("what names the bus can be typed into a shell, whatever the endpoint is")
    func quoted() {
        let strange = "ipc:///tmp/my bus/it's"
        let stage = stage(columns: 100, rows: 24, isLive: true, endpoint: strange)
        let words = "export PROGRESSBUS_ENDPOINT='ipc:///tmp/my bus/it'\\''s'"
        #expect(stage.screen.contains(words), "\(stage.screen)")
    }

    @Test("a bus of another machine is not reported to from here")
    func remote() {
        let stage = stage(columns: 100, rows: 24, isLive: true, endpoint: "ssh://build-1")
        #expect(stage.screen.contains("On that machine:"), "\(stage.screen)")
        #expect(!stage.screen.contains("export"))
        let away = self.stage(columns: 100, rows: 24, isLive: false, endpoint: "ssh://build-1")
        #expect(away.screen.contains("No word from there"), "\(away.screen)")
        #expect(!away.screen.contains("starts one"))
    }

    @Test("the footer of an empty board offers nothing that has nothing to act on")
    func footer() {
        var stage = Stage(columns: 200)
        stage.deliver()
        #expect(stage.grid.line(23) == "? keys  q quit")
    }

    @Test("messages from before the broker began are not there, and it is said")
    func messages() {
        var stage = Stage(columns: 120)
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 2 }
        stage.report(
            job,
            .child(2, of: job, "part", place: 1),
            .job(3, "Ended") { $0.state = .failed }
        )
        stage.press(.enter, .down)
        stage.type("L")
        #expect(stage.screen.contains("nothing has been said yet"))
        // The job began 14 seconds ago, at 05:00:00.
        stage.uptime = 8
        stage.deliver()
        #expect(
            stage.screen.contains("messages from before 05:00:06 were not kept"),
            "\(stage.screen)"
        )
        stage.press(.escape, .escape, .end)
        stage.type("L")
        #expect(stage.screen.contains("no messages are kept"), "\(stage.screen)")
    }
}
