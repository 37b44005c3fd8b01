import BusProtocol
import TaskTree

/// A reporting session without a clock, a thread or sockets, for measuring what one costs.
package struct ReportingRehearsal {
    private var machine: ReportingMachine
    private var now = Moment(nanoseconds: 1_000_000_000)
    private var children: [ReportedTask] = []

    /// Makes a session whose one job has this many children, all of them reported already.
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
        let job = machine.begin(ReportedTask(title: "Check all files"), below: 0, at: now)
        for _ in 0..<count {
            let child = ReportedTask(title: "Check one file")
            child.total = 1_000
            machine.begin(child, below: job, at: now)
            children.append(child)
        }
        _ = tick()
    }

    /// Every child moves on by one.
    package mutating func advanceAll() {
        for child in children where child.advance(by: 1) {
            machine.list(child.index, at: now)
        }
    }

    /// Lets a tick go by; returns the last report frame that was due, empty if none was.
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
