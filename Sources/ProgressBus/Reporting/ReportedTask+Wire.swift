import BusProtocol
import TaskTree

// The wire form of a task.
extension ReportedTask {
    /// The fold of the task's ended children, made at first use.
    var ownFold: FoldBook {
        let family = ownFamily
        let fold = family.fold ?? FoldBook()
        family.fold = fold
        return fold
    }

    /// When the task began, in Unix seconds; 0 for a ticket, which its redeemer begins.
    ///
    /// `wallOffset` is what to add to a moment, in seconds, to get Unix time. While it is not
    /// known, the result is 0 too.
    func begunTime(_ wallOffset: Double?) -> Double {
        if isTicket { return 0 }
        // If the clock was set since, the description keeps the time that was reported before.
        if let begun = described?.begun, begun > 0 { return begun }
        return times.begun.wallTime(wallOffset)
    }

    func wireDescription(in session: SessionID, _ wallOffset: Double?) -> WireDescription {
        var wire = WireDescription(index: index, description(in: session))
        wire.begun = begunTime(wallOffset)
        if let place = location.place { wire.place = place }
        if let cell = location.cell { wire.cell = cell }
        return wire
    }

    /// About how many bytes the task's whole row takes in a frame.
    var estimatedBytes: Int {
        let words = described.map {
            $0.unit.utf8.count + $0.key.utf8.count + $0.options.textBytes
        }
        return ReportingFrame.entryBytes + title.utf8.count + (words ?? 0) + detail.utf8.count
    }
}

extension ReportingMachine {
    /// The whole row as it goes over control.
    func wireEnding(of record: ReportedTask, at now: Moment) -> WireEnding {
        var ending = WireEnding()
        ending.description_p = record.wireDescription(in: identity.session, wallOffset)
        let (state, reason) = record.state.wire
        ending.state = state
        ending.reason = reason
        ending.completed = record.amount
        ending.total = record.total ?? -1
        ending.detail = record.detail
        ending.clock = record.clock(at: now)
        ending.time = record.ending.wallTime
        return ending
    }
}
