import BusProtocol
import TaskTree

/// Owners state times by their own clocks; the broker converts them to its clock.
extension BrokerMachine {
    /// A difference of fewer seconds is the delay of the hello, not that of another clock.
    private static let leastDifference = 2.0

    /// Learns from a session's hello by how many seconds the session's clock is ahead.
    ///
    /// A session whose process the broker watches is on the same machine and has the same clock,
    /// however long its hello has waited. A hello from the spool is old, so its time says nothing
    /// about the clock.
    mutating func compareClocks(of id: SessionID, route: Route, now: Moment) {
        guard let session = sessions[id] else { return }
        let time = session.hello.time
        guard time > 0, session.process == nil, route != .nobody else {
            sessions[id]?.clockAhead = 0
            return
        }
        let ahead = time - unix(now)
        guard (ahead - session.clockAhead).magnitude >= Self.leastDifference else { return }
        sessions[id]?.clockAhead = ahead
    }

    /// Converts a time by a clock that is so many seconds ahead to the broker's clock.
    ///
    /// A time of 0 means that none was stated, and stays 0.
    fileprivate static func setBack(_ time: Double, by seconds: Double) -> Double {
        time > 0 && seconds != 0 ? shownTime(max(time - seconds, 1)) : time
    }
}

extension WireDescription {
    /// A copy with the begin converted from a clock that is so many seconds ahead.
    func setBack(by seconds: Double) -> Self {
        var description = self
        description.begun = BrokerMachine.setBack(begun, by: seconds)
        return description
    }
}

extension WireEnding {
    /// A copy with begin and end converted from a clock that is so many seconds ahead.
    func setBack(by seconds: Double) -> Self {
        guard seconds != 0 else { return self }
        var ending = self
        ending.description_p = description_p.setBack(by: seconds)
        ending.time = BrokerMachine.setBack(time, by: seconds)
        return ending
    }
}

extension WireLogLine {
    /// A copy with the time converted from a clock that is so many seconds ahead.
    func setBack(by seconds: Double) -> Self {
        var line = self
        line.time = BrokerMachine.setBack(time, by: seconds)
        return line
    }
}
