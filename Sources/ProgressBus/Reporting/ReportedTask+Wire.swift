import BusProtocol
import TaskTree

// What the machine says of a task.
extension ReportedTask {
    /// What is folded away below it; made where there is none.
    var ownFold: FoldBook {
        let family = ownFamily
        let fold = family.fold ?? FoldBook()
        family.fold = fold
        return fold
    }

    /// When it began, in Unix seconds, which are so many more than those of moments; 0 for a ticket,
    /// which somebody else begins.
    func begunTime(_ wallOffset: Double?) -> Double {
        if isTicket { return 0 }
        // Its description has it if the clock was set since.
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

    /// About how many bytes a statement of everything takes in a frame.
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
