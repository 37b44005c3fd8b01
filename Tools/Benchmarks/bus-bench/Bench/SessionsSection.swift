import BusProtocol
import Foundation
import ZeroMQ

/// What many sessions cost the broker: processor time as a part of one core.
enum SessionsSection {
    static func measure(_ plan: Plan, _ report: inout Report) async throws {
        let count = plan.count(1_000, quick: 20)
        let rounds = plan.isQuick ? 1 : 5
        var busy: [Double] = []
        var idle: [Double] = []
        for _ in 0..<rounds {
            idle.append(try share(count, hertz: 0, seconds: plan.isQuick ? 0.3 : 8))
            busy.append(try share(count, hertz: 10, seconds: plan.isQuick ? 0.3 : 5))
        }
        report.add(
            "broker with \(count) sessions at 10 Hz",
            Figure(busy, unit: "% of a core", target: .atMost(30))
        )
        report.add(
            "broker with \(count) idle sessions",
            Figure(idle, unit: "% of a core", target: .atMost(2.5))
        )
    }

    private static func share(_ count: Int, hertz: Int, seconds: Double) throws -> Double {
        let broker = try RealBroker("--limit", "sessions-per-process=\(count)")
        let crowd = try ChildProcess(
            role: ["crowd", "\(count)", "\(hertz)"],
            endpoint: broker.endpoint
        )
        guard crowd.line() == "ready" else { throw Obstacle("the sessions do not connect") }
        // The beginnings are journalled, and places are given, in the first moments.
        usleep(seconds < 1 ? 100_000 : 3_000_000)
        let before = broker.process.processorSeconds
        let began = ContinuousClock.now
        // The time that is measured.
        usleep(UInt32(seconds * 1e6))
        let used = broker.process.processorSeconds - before
        return 100 * used / (began.duration(to: .now) / .seconds(1))
    }

    // MARK: - In a process of its own

    /// So many sessions that each change one task so often, or only live.
    static func crowd(_ count: Int, hertz: Int) -> Never {
        do {
            let endpoint = try BusEndpoint.resolve(
                explicit: nil,
                environment: ProcessInfo.processInfo.environment
            ).endpoint
            _ = DescriptorLimit.raise()
            let context = try ZeroMQContext(maxSockets: 2 * count + 100)
            let members = try (1...count).map {
                try Member(Speaker(session: UInt64($0)), endpoint, context)
            }
            for member in members { try member.begin() }
            FileHandle.standardOutput.write(Data("ready\n".utf8))
            try work(members, hertz: hertz)
        } catch {
            fail(69, "\(error)")
        }
    }

    private static func work(_ members: [Member], hertz: Int) throws -> Never {
        // Spread over the time: sessions of different processes are in no step.
        let slices = 50
        let period = hertz > 0 ? 1_000_000 / hertz : 900_000
        let began = ContinuousClock.now
        var round = 0
        while true {
            let slice = round % slices
            for place in stride(from: slice, to: members.count, by: slices) {
                try members[place].speak(round / slices + 2, isBusy: hertz > 0)
            }
            round += 1
            let due = began + .microseconds(period / slices * round)
            let pause = ContinuousClock.now.duration(to: due) / .microseconds(1)
            // The pace is what is measured: no session may speak sooner.
            if pause > 0 { usleep(UInt32(pause)) }
        }
    }
}

/// A session of the crowd.
private final class Member {
    private let speaker: Speaker
    private let control: ZeroMQSocket
    private let reports: ZeroMQSocket

    init(_ speaker: Speaker, _ endpoint: BusEndpoint, _ context: ZeroMQContext) throws {
        self.speaker = speaker
        control = try speaker.connect(to: endpoint, in: context)
        reports = try ZeroMQSocket(.xpub, in: context)
        try reports.set(.immediate, to: 1)
        try reports.set(.noDrop, to: 1)
        try reports.connect(endpoint.reportsAddress)
    }

    /// Waits for the broker's welcome and subscription, then says what there is.
    func begin() throws {
        let end = ContinuousClock.now + .seconds(30)
        for isControl in [true, false] {
            while try (isControl ? control.receive() : reports.receive()) == nil {
                var items = [isControl ? control.pollItem : reports.pollItem]
                _ = try poll(&items, timeout: 100)
                guard ContinuousClock.now < end else { throw Obstacle("no welcome") }
            }
        }
        _ = try reports.send([Frame.encode(speaker.beginning())])
    }

    func speak(_ number: Int, isBusy: Bool) throws {
        // Places and keyframes asked for need no answer here, but are read.
        while try control.receive() != nil {}
        if isBusy {
            let change = speaker.change(UInt64(number), to: Int64(number))
            _ = try reports.send([Frame.encode(change)])
        }
        // As the library does: in 0.9 s, whatever it reports.
        if !isBusy || number % 9 == 0 {
            var frame = speaker.frame()
            frame.heartbeat.sequence = 1
            _ = try control.send([Frame.encode(frame)])
        }
    }
}
