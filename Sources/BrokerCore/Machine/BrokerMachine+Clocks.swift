import BusProtocol
import TaskTree

/// Owners say by their clocks when things happened; the broker tells all of it by its own.
extension BrokerMachine {
    /// Less than this is the time that a hello takes, not another clock, in seconds.
    private static let leastDifference = 2.0

    /// Learns from its hello by how much a session's clock is ahead.
    ///
    /// What the broker watches is on its machine and has its clock, however long a hello has waited;
    /// what comes from the spool is older than it looks.
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

    /// What the broker's clock showed at a time that a clock says which is so many seconds ahead.
    ///
    /// 0 means that nothing was said, and stays.
    fileprivate static func setBack(_ time: Double, by seconds: Double) -> Double {
        time > 0 && seconds != 0 ? shownTime(max(time - seconds, 1)) : time
    }
}

extension WireDescription {
    /// The same, said by a clock that is not ahead by so many seconds.
    func setBack(by seconds: Double) -> Self {
        var description = self
        description.begun = BrokerMachine.setBack(begun, by: seconds)
        return description
    }
}

extension WireEnding {
    /// The same, said by a clock that is not ahead by so many seconds.
    func setBack(by seconds: Double) -> Self {
        guard seconds != 0 else { return self }
        var ending = self
        ending.description_p = description_p.setBack(by: seconds)
        ending.time = BrokerMachine.setBack(time, by: seconds)
        return ending
    }
}

extension WireLogLine {
    /// The same, said by a clock that is not ahead by so many seconds.
    func setBack(by seconds: Double) -> Self {
        var line = self
        line.time = BrokerMachine.setBack(time, by: seconds)
        return line
    }
}
