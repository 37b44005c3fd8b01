import BusProtocol
import Foundation
import TaskTree

@testable import ProgressBus

/// Tasks and boards to format, made the way a follower makes them.
enum Samples {
    static let session = SessionID(rawValue: 0xC0FFEE)
    /// 2026-11-21T03:00:00Z.
    static let begun = 1_795_230_000.0

    static func id(_ index: UInt64) -> TaskID { TaskID(index: index, session: session) }

    /// A job 42 % done, begun 13.5 s ago; the closure makes it another one.
    static func job(
        _ index: UInt64 = 1,
        _ title: String = "Back up photos",
        _ change: (inout WireRow) -> Void = { _ in }
    ) -> TaskSnapshot {
        var row = WireRow()
        row.task = WireTaskRef(id(index))
        row.description_p.title = title
        row.description_p.key = "nightly"
        row.description_p.slot = UInt32(index)
        row.description_p.unit = "files"
        row.description_p.attempt = 1
        row.description_p.process.host = "attic"
        row.description_p.process.pid = 4_711
        row.description_p.process.command = "backup"
        row.progress.state = .running
        row.progress.completed = 42
        row.progress.total = 100
        row.progress.bothFractions = 0.42
        row.progress.rate = 3.1
        row.progress.secondsLeft = 18.7
        row.progress.begun = begun
        row.progress.active = 13.5
        row.progress.advanced = begun + 13.3
        change(&row)
        return snapshot(row)
    }

    /// A child of job 1 without numbers.
    static func child(
        _ index: UInt64,
        _ title: String,
        _ change: (inout WireRow) -> Void = { _ in }
    ) -> TaskSnapshot {
        var row = WireRow()
        row.task = WireTaskRef(id(index))
        row.description_p.title = title
        row.description_p.parent = WireTaskRef(id(1))
        row.description_p.job = WireTaskRef(id(1))
        row.description_p.place = UInt32(index)
        row.description_p.depth = 1
        row.progress.state = .running
        row.progress.indeterminate = true
        row.progress.begun = begun
        change(&row)
        return snapshot(row)
    }

    private static func snapshot(_ row: WireRow) -> TaskSnapshot {
        let now = begun + 13.5
        guard let task = TaskSnapshot(row, id: row.task.taskID() ?? id(1), at: now) else {
            preconditionFailure("the row has both parts")
        }
        return task
    }

    static func board(_ jobs: [TaskSnapshot], needingAttention: Int = 0) -> Board {
        var board = Board(connection: .live)
        var counts = StateCounts()
        counts.running = jobs.count
        board.jobs = jobs
        var broker = Board.Broker()
        broker.epoch = 0xAB
        broker.version = "0.1.0"
        broker.uptime = 12.5
        broker.sessions = 3
        broker.tasks = 41
        broker.jobs = jobs.count
        broker.jobCounts = counts
        broker.taskCounts = counts
        broker.needingAttention = needingAttention
        board.broker = broker
        return board
    }
}

extension WireRowProgress {
    /// What is reported and drawn alike.
    var bothFractions: Double {
        get { fraction }
        set {
            fraction = newValue
            displayFraction = newValue
        }
    }
}
