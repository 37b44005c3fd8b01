import BusProtocol
import Foundation
import ZeroMQ

/// The pairs of sockets that the sessions of a process share.
struct Wires {
    private let pairs: [Pair]
    private let context: ZeroMQContext

    /// What has come in.
    struct Answers {
        var welcomed = 0
        var bound = 0
        var journalled: [UInt64] = []
        var left = 0
        var probes: [UInt64] = []
        var refusals: [String] = []
    }

    private final class Pair {
        let reports: ZeroMQSocket
        let control: ZeroMQSocket
        var isSubscribed = false

        init(_ endpoint: BusEndpoint, in context: ZeroMQContext) throws(ZeroMQError) {
            let reports = try ZeroMQSocket(.xpub, in: context)
            try reports.set(.noDrop, to: 1)
            let control = try ZeroMQSocket(.dealer, in: context)
            try reports.set(.immediate, to: 1)
            try control.set(.immediate, to: 1)
            try reports.connect(endpoint.reportsAddress)
            try control.connect(endpoint.controlAddress)
            self.reports = reports
            self.control = control
        }
    }

    init(_ count: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        let endpoint = try BusEndpoint.resolve(explicit: nil, environment: environment).endpoint
        let context = try ZeroMQContext()
        self.context = context
        pairs = try (0..<count).map { _ in try Pair(endpoint, in: context) }
    }

    /// Waits until the broker wants to hear from all of them.
    func open(within seconds: Double) throws {
        let deadline = Clock.seconds + seconds
        while pairs.contains(where: { !$0.isSubscribed }) {
            guard Clock.seconds < deadline else {
                throw Complaint("no broker took all connections: is one there?", code: 69)
            }
            _ = try receive(milliseconds: 50)
        }
    }

    /// False where the connection takes nothing more for now.
    func send(_ report: WireReport, of session: UInt64) throws -> Bool {
        try pairs[Int(session) % pairs.count].reports.send([Frame.encode(report)])
    }

    func send(_ frame: WireClientFrame, of session: UInt64) throws -> Bool {
        try pairs[Int(session) % pairs.count].control.send([Frame.encode(frame)])
    }

    /// Takes what is there, waiting so long for the first.
    func receive(milliseconds: Int) throws -> Answers {
        var items = pairs.flatMap { [$0.reports.pollItem, $0.control.pollItem] }
        _ = try poll(&items, timeout: milliseconds)
        var answers = Answers()
        for pair in pairs {
            while let parts = try pair.reports.receive() {
                if parts.first?.first == 1 { pair.isSubscribed = true }
            }
            while let parts = try pair.control.receive() {
                guard parts.count == 1 else { continue }
                switch try Frame.decodeBroker(parts[0]).body {
                case .welcome: answers.welcomed += 1
                case .binding: answers.bound += 1
                case .endingsJournalled(let journalled):
                    answers.journalled.append(journalled.sequence)
                case .goodbyeAccepted: answers.left += 1
                case .probe(let answer): answers.probes.append(answer.request)
                case .refusal(let refusal): answers.refusals.append(refusal.sentence)
                default: break
                }
            }
        }
        return answers
    }
}

/// Seconds of the machine's clock that only goes forward.
enum Clock {
    static var seconds: Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}
