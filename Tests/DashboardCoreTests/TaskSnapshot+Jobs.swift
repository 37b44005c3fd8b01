import Foundation
import ProgressBus
import TaskTree

@testable import DashboardCore

extension TaskID {
    /// The task of this number in the session of the tests.
    static func number(_ number: Int) -> TaskID {
        TaskID(index: UInt64(number), session: SessionID(rawValue: 7))
    }
}

extension TaskSnapshot {
    /// A running job of 100 files, 42 of them done.
    static func job(
        _ number: Int,
        _ title: String,
        slot: Int? = nil,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        var row = TaskSnapshot(id: .number(number), title: title)
        row.slot = slot ?? number
        row.key = "job-\(number)"
        row.fill()
        change(&row)
        return row
    }

    /// A running child.
    static func child(
        _ number: Int,
        of parent: TaskSnapshot,
        _ title: String,
        place: Int,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        var row = TaskSnapshot(id: .number(number), job: parent.job, title: title)
        row.parent = parent.id
        row.depth = parent.depth + 1
        row.place = place
        row.cell = number
        row.fill()
        change(&row)
        return row
    }

    /// A job of unknown length.
    static func libraryIndex(
        _ number: Int,
        _ change: (inout TaskSnapshot) -> Void = { _ in }
    ) -> TaskSnapshot {
        .job(number, "Index the library") {
            $0.loseTotal()
            $0.completed = 1_234
            change(&$0)
        }
    }

    /// Work on the side that never ends.
    static func folderWatch(_ number: Int, slot: Int) -> TaskSnapshot {
        .job(number, "Watch the folder", slot: slot) {
            $0.options.style = .spinner
            $0.options.isBackground = true
            $0.loseTotal()
            $0.completed = 0
            $0.rate = nil
        }
    }

    private mutating func loseTotal() {
        isIndeterminate = true
        total = nil
        secondsLeft = nil
    }

    /// Nobody has begun it.
    mutating func leaveOpen() {
        state = .waiting
        attempt = 0
        process = nil
        bothFractions = 0
        completed = 0
        elapsed = nil
        startedAt = nil
        rate = nil
    }

    private mutating func fill() {
        isIndeterminate = false
        bothFractions = 0.42
        completed = 42
        total = 100
        unit = "files"
        rate = 3.1
        secondsLeft = 19
        elapsed = 14
        secondsSinceAdvance = 0.2
        startedAt = Date(timeIntervalSince1970: 1_795_237_200)
        options.isCancellable = true
        process = Process(host: "build-1", pid: 4_711, command: "scan")
    }
}
