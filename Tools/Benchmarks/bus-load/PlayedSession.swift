import BusProtocol
import Foundation

/// One session and the frames it says; its only task takes a ticket of the process's issuer.
struct PlayedSession {
    /// Its number within the process, from 1; also the index of its task and of the ticket.
    let number: UInt64
    let id: UInt64
    let credential: Data
    var completed: Int64 = 0
    var begun: Double = 0
    /// The sequence of its last report.
    var lastReport: UInt64 = 0

    init(number: UInt64) {
        self.number = number
        id = UInt64.random(in: 1...UInt64.max)
        var generator = SystemRandomNumberGenerator()
        credential = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credential = credential
        frame.body = body
        return frame
    }

    /// Its process is named by another machine's boot, so that heartbeats decide about it alone.
    func hello() -> WireClientFrame {
        var hello = WireHello()
        hello.session = id
        hello.process.host = "load"
        hello.process.pid = Int64(number)
        hello.process.command = "bus-load"
        hello.process.bootID = "load"
        hello.client = "bus-load"
        return frame(.hello(hello))
    }

    private func ticket(of issuer: UInt64) -> WireTaskRef {
        var ticket = WireTaskRef()
        ticket.index = number
        ticket.session = issuer
        return ticket
    }

    private func description(issuer: UInt64) -> WireDescription {
        var description = WireDescription()
        description.index = number
        description.ticket = ticket(of: issuer)
        description.title = "Resize photo \(number)"
        return description
    }

    func redeem(issuer: UInt64) -> WireClientFrame {
        var redeem = WireRedeem()
        redeem.index = number
        redeem.ticket = ticket(of: issuer)
        return frame(.redeem(redeem))
    }

    func keyframe(issuer: UInt64, now: Double) -> WireReport {
        var report = change(now: now)
        report.keyframe = 1
        report.keyframeLast = true
        report.descriptions = [description(issuer: issuer)]
        var running = WireStateChange()
        running.index = number
        running.state = .running
        report.states = [running]
        return report
    }

    /// A report of its task: an amount and a clock, as every tick of a busy worker has.
    func change(now: Double) -> WireReport {
        var report = WireReport()
        report.credential = credential
        report.sequence = lastReport
        report.amountIndex = [number]
        report.completed = [completed]
        report.total = [1_000_000]
        let elapsed = UInt64(max(0, now - begun) * 1_000)
        report.clockIndex = [number]
        report.elapsed = [elapsed]
        report.active = [elapsed]
        report.sinceAdvance = [0]
        return report
    }

    func heartbeat() -> WireClientFrame {
        var heartbeat = WireHeartbeat()
        heartbeat.sequence = lastReport
        return frame(.heartbeat(heartbeat))
    }

    func ending(issuer: UInt64, sequence: UInt64, now: Double) -> WireClientFrame {
        var ending = WireEnding()
        ending.description_p = description(issuer: issuer)
        ending.state = .succeeded
        ending.completed = 1_000_000
        ending.total = 1_000_000
        ending.clock.elapsed = UInt64(max(0, now - begun) * 1_000)
        ending.clock.active = ending.clock.elapsed
        var endings = WireEndings()
        endings.sequence = sequence
        endings.endings = [ending]
        return frame(.endings(endings))
    }

    func goodbye() -> WireClientFrame {
        var goodbye = WireGoodbye()
        goodbye.sequence = lastReport
        return frame(.goodbye(goodbye))
    }
}
