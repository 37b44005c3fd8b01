package import BusProtocol
package import TaskTree

/// Where control messages of one connection come from and go to: ZeroMQ's own routing id.
package struct Route: Hashable, Sendable {
    package var bytes: [UInt8]
    /// The session of another broker that is reached in envelopes; `nil` for the peer of the
    /// connection.
    private(set) var elsewhere: FleetRoute?

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The way to a session of another broker of the fleet.
    static func elsewhere(_ session: SessionID, of broker: UInt64) -> Route {
        var route = Route(bytes: [])
        route.elsewhere = FleetRoute(session: session, broker: broker)
        return route
    }

    /// The route of a session that speaks from the spool: nothing is sent to it.
    static let nobody = Route(bytes: [])
}

/// A session, and the broker of the fleet with which it speaks in envelopes.
struct FleetRoute: Hashable, Sendable {
    let session: SessionID
    let broker: UInt64
}

/// What the broker has decided about a file in the spool.
package enum SpoolDecision: Hashable, Sendable {
    /// All of it is on disk: delete it.
    case taken
    /// There is no room for its session now: leave it for another time.
    case later
    /// It cannot be what it claims to be: set it aside. The reason ends a sentence.
    case damaged(String)
}

/// The level of a line in the broker's log, named as in swift-log.
package enum LogLevel: String, Sendable {
    case debug, info, notice, warning
}

/// A process as the kernel knows it: its start time tells it from a later one with the same pid.
package struct WatchedProcess: Hashable, Sendable {
    package var pid: Int32
    /// As in hello, in the units of its system.
    package var startTime: UInt64

    package init(pid: Int32, startTime: UInt64) {
        self.pid = pid
        self.startTime = startTime
    }
}

/// How a process ended.
package enum ProcessExit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
}

/// What the machine wants done; the owner of the sockets and the journal does it in order.
package enum BrokerAction: Sendable {
    /// Send this on the control socket; if it cannot be sent at once, drop it and carry on.
    case send(Route, WireBrokerFrame)
    /// Publish this on the updates socket under this topic.
    case publish(topic: String, WireUpdate)
    /// Commit these in one transaction, then call `journalled(batch)`.
    case journal(batch: UInt64, [JournalEntry])
    /// Do this with the spool file that was handed in under this number.
    case spooled(file: UInt64, SpoolDecision)
    /// Call `processGone` once this process of the session has ended and all it sent is taken in.
    case watch(SessionID, WatchedProcess)
    /// Call `processExamined` with whether this process of the session is stopped.
    case examine(SessionID, WatchedProcess)
    /// Stop watching the session's process.
    case unwatch(SessionID)
    /// Log one line with structured fields.
    case log(LogLevel, String, [String: String])
}
