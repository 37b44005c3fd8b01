import Essentials
import ProgressBus

/// Turns pictures into lines; no clock and no output of its own.
protocol WatchFormatter: Sendable {
    /// The lines that a new picture gives.
    mutating func lines(for picture: WatchedPicture, at time: Date) throws -> [String]
    /// The lines that are due because time went by; called about once a second.
    mutating func lines(at time: Date) throws -> [String]
}

/// `watch --json`: an object for everything that is new.
struct JSONFormatter: WatchFormatter {
    private var connection = Board.Connection.connecting

    mutating func lines(for picture: WatchedPicture, at time: Date) throws -> [String] {
        var events: [WatchEvent] = []
        if picture.connection != connection {
            if picture.connection == .live { events.append(.connected) }
            if picture.connection == .reconnecting { events.append(.disconnected) }
            connection = picture.connection
        }
        if picture.connection == .live {
            for task in picture.tasks where picture.changed?.contains(task.id) != false {
                events.append(.job(task))
            }
        }
        events += picture.messages.map(WatchEvent.log)
        events += picture.left.map { .left($0.task, reason: $0.reason) }
        return try events.map { try $0.json(at: time) }
    }

    mutating func lines(at time: Date) -> [String] { [] }
}
