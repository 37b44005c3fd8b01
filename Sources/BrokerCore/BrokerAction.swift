package import BusProtocol

/// Where control messages of one connection come from and go to: ZeroMQ's own routing id.
package struct Route: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// How loud a line of the broker's log is.
package enum LogLevel: Sendable {
    case debug, info, notice, warning, error
}

/// What the machine wants done; done in order by whoever owns the sockets and the journal.
package enum BrokerAction: Sendable {
    /// Send this on the control socket; if it cannot be sent at once, drop it and carry on.
    case send(Route, WireBrokerFrame)
    /// Publish this on the updates socket under this topic.
    case publish(topic: String, WireUpdate)
    /// Commit these in one transaction, then call `journalled(batch)`.
    case journal(batch: UInt64, [JournalEntry])
    /// Log one line with structured fields.
    case log(LogLevel, String, [String: String])
}
