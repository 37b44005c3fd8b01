import BusProtocol
import TaskTree

/// A reporting session without a clock, a thread or sockets, for whoever measures what one costs.
package struct ReportingRehearsal {
    private var machine: ReportingMachine
    private var now = Moment(nanoseconds: 1_000_000_000)
    private var cells: [TaskCell] = []

    /// A session of so many children of one job, all of which the broker knows already.
    package init(tasks count: Int) {
        machine = ReportingMachine(
            identity: ReportingMachine.Identity(
                session: SessionID(rawValue: 7),
                credential: Array(repeating: 9, count: ProtocolLimits.credentialBytes)
            ),
            tickNanoseconds: 50_000_000
        )
        machine.subscribed(at: now)
        var frame = WireBrokerFrame()
        frame.epoch = 1
        frame.welcome.heartbeat = 1_000
        machine.received(frame, at: now)
        let job = begin(.none)
        let parent = TaskID(index: job, session: SessionID(rawValue: 7))
        for _ in 0..<count { _ = begin(.task(parent)) }
        cells.removeFirst()
        _ = tick()
    }

    private mutating func begin(_ parent: ParentLink) -> UInt64 {
        let cell = TaskCell()
        cells.append(cell)
        let description = TaskDescription(parent: parent, title: "Check one file")
        return machine.begin(.init(description: description, total: 1_000), cell: cell, at: now)
    }

    /// Every child moves on by one.
    package mutating func advanceAll() {
        for (place, cell) in cells.enumerated() where cell.advance(by: 1) {
            machine.marked(UInt64(place) + 2, at: now)
        }
    }

    /// Lets a tick go by; returns the last frame of reports that was due, nothing if there was none.
    package mutating func tick() -> [UInt8] {
        now = now.later(by: 60_000_000)
        var frame: [UInt8] = []
        while true {
            switch machine.next(at: now) {
            case .report(let report):
                frame = Frame.encode(report)
                machine.reportTaken(true, at: now)
            case .control: machine.controlTaken(true, at: now)
            case .deliver, .finish, .spool, .warn: break
            case .wait, .leave: return frame
            }
        }
    }
}
