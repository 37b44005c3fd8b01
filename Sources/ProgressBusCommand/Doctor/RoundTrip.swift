import BusProtocol
import ProgressBus
import TaskTree
import ZeroMQ

/// One way through all three sockets of a broker, in the words of the protocol and without the SDK.
///
/// Opens a session, asks a probe over control, then sends a report that asks for a beat and waits
/// for that beat on the updates socket. Who may not do both where there are keys does the first alone.
/// Blocks its thread for a few seconds at most.
struct RoundTrip {
    /// What was seen on the way.
    struct Result: Equatable, Sendable {
        var version: String
        var minor: UInt32
        var uptime: Double
        var isSettling: Bool
        /// What it says of its fleet.
        var fleet: WireProbeAnswer
        /// Seconds from the question on control to its answer.
        var controlSeconds: Double
        /// Seconds from the report to the beat it asked for; `nil` for who may not report and look.
        var reportSeconds: Double?
    }

    /// Where it ended, and what to do.
    struct Failure: Error, Equatable, CustomStringConvertible {
        var description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// How long each of its steps may take.
    private static let patience = Duration.seconds(2)
    private static let patienceText = "2 s"

    private var endpoint: BusEndpoint
    private let credential = SessionCredential.random()
    private let session = SessionID.random()
    private let request = UInt64.random(in: 1...UInt64.max)

    init(through endpoint: BusEndpoint) {
        self.endpoint = endpoint
    }

    /// Goes the whole way.
    mutating func run() throws(Failure) -> Result {
        do {
            return try walk()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("\(error)")
        }
    }

    private mutating func walk() throws -> Result {
        let context = try ZeroMQContext()
        var socket = try ZeroMQSocket(.dealer, in: context)
        try socket.set(.immediate, to: 1)
        let handshakes = try HandshakeWatch(&socket, of: endpoint, in: context)
        try connect(socket, to: endpoint.controlAddress)
        var control = Control(socket: socket, handshakes: handshakes)
        let welcome = try greet(&control)
        let (controlSeconds, fleet) = try ask(&control)
        let reportSeconds = may(.report) && may(.read) ? try report(in: context) : nil
        try leave(&control)
        return Result(
            version: welcome.version,
            minor: welcome.minor,
            uptime: welcome.uptime,
            isSettling: welcome.settling,
            fleet: fleet,
            controlSeconds: controlSeconds,
            reportSeconds: reportSeconds
        )
    }

    private func may(_ right: Right) -> Bool {
        endpoint.membership?.role?.allows(right) ?? true
    }

    private func connect(_ socket: borrowing ZeroMQSocket, to address: String) throws {
        try socket.prepare(for: endpoint, reconnectMilliseconds: (first: 50, longest: 500))
        try socket.connect(address)
    }

    // MARK: - Control

    /// The control socket, and whether the broker lets it in.
    private struct Control: ~Copyable {
        let socket: ZeroMQSocket
        var handshakes: HandshakeWatch
    }

    private mutating func greet(_ control: inout Control) throws -> WireWelcome {
        var hello = WireHello()
        hello.session = session.rawValue
        hello.viewer = !may(.report)
        hello.client = "progressbus doctor \(ProgressBusVersion.text)"
        try send(.hello(hello), through: &control)
        let welcome: WireWelcome? = try answer(from: control.socket) { body in
            if case .welcome(let welcome) = body { welcome } else { nil }
        }
        guard let welcome else {
            throw Failure(
                "no welcome on \(endpoint.controlAddress) within \(Self.patienceText); "
                    + "the broker may be stopped or busy: end it and start another"
            )
        }
        return welcome
    }

    private mutating func ask(_ control: inout Control) throws -> (Double, WireProbeAnswer) {
        let start = ContinuousClock.now
        var probe = WireProbe()
        probe.request = request
        try send(.probe(probe), through: &control)
        let answer: WireProbeAnswer? = try answer(from: control.socket) { body in
            if case .probe(let answer) = body, answer.request == request { answer } else { nil }
        }
        guard let answer else {
            throw Failure("the broker has welcomed us but does not answer a probe on control")
        }
        return ((ContinuousClock.now - start) / .seconds(1), answer)
    }

    private mutating func leave(_ control: inout Control) throws {
        var goodbye = WireGoodbye()
        goodbye.sequence = 1
        try send(.goodbye(goodbye), through: &control)
        let _: WireGoodbyeAccepted? = try answer(from: control.socket) { body in
            if case .goodbyeAccepted(let accepted) = body { accepted } else { nil }
        }
    }

    private mutating func send(
        _ body: WireClientFrame.OneOf_Body,
        through control: inout Control
    ) throws {
        var frame = WireClientFrame()
        frame.credentialBytes = credential.bytes
        frame.body = body
        let deadline = ContinuousClock.now + Self.patience
        // Not before the connection is made.
        while try !control.socket.send([Frame.encode(frame)]) {
            switch control.handshakes.trouble(of: control.socket) {
            // As all that is said here, without its end.
            case .refused(let sentence): throw Failure(String(sentence.dropLast()))
            case .renewed(let membership):
                endpoint = try BusEndpoint(membership)
                try control.socket.connectAnew(to: endpoint.controlAddress, for: membership)
            case nil: break
            }
            guard ContinuousClock.now < deadline else {
                let what =
                    endpoint.membership == nil
                    ? "start a broker with `progressbus broker`" : "no broker runs there"
                throw Failure(
                    "no connection to \(endpoint.controlAddress) within \(Self.patienceText); "
                        + what
                )
            }
            var none: [PollItem] = []
            _ = try poll(&none, timeout: 5)
        }
    }

    private func answer<Answer>(
        from control: borrowing ZeroMQSocket,
        _ pick: (WireBrokerFrame.OneOf_Body) -> Answer?
    ) throws -> Answer? {
        try first(from: control) { parts throws -> Answer? in
            guard let part = parts.first, let body = try Frame.decodeBroker(part).body else {
                return nil
            }
            if case .refusal(let refusal) = body {
                throw Failure("the broker refuses us: \(refusal.sentence)")
            }
            return pick(body)
        }
    }

    // MARK: - Reports and updates

    /// Measures how many seconds a report takes to come back as an update.
    ///
    /// `nil` where `progressbus ssh` started this process and no update comes: `progressbus ssh` passes
    /// on no updates of a bus with keys.
    private func report(in context: ZeroMQContext) throws -> Double? {
        let updates = try ZeroMQSocket(.sub, in: context)
        let topic = Topic.probe(request).name
        try updates.subscribe(Array(topic.utf8))
        try connect(updates, to: endpoint.updatesAddress)
        let isSubscribed: Bool? = try first(from: updates) { _ in true }
        guard isSubscribed != nil else {
            if RemoteShell.isForwarded(endpoint) { return nil }
            throw Failure(
                "nothing comes from \(endpoint.updatesAddress): viewers see nothing; end the "
                    + "broker and start another"
            )
        }

        let reports = try ZeroMQSocket(.xpub, in: context)
        try reports.set(.immediate, to: 1)
        try reports.set(.noDrop, to: 1)
        try connect(reports, to: endpoint.reportsAddress)
        let isListening: Bool? = try first(from: reports) { parts in
            parts.first?.first == 1 ? true : nil
        }
        guard isListening != nil else {
            throw Failure(
                "the broker does not listen on \(endpoint.reportsAddress): reports get lost; "
                    + "end it and start another"
            )
        }
        var report = WireReport()
        report.credentialBytes = credential.bytes
        report.sequence = 1
        report.probe = request
        let start = ContinuousClock.now
        _ = try reports.send([Frame.encode(report)])
        let beat: Bool? = try first(from: updates) { _ in true }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // A quiet topic has a beat once a second anyway; only a prompt one is the answer.
        guard beat != nil, seconds < 0.9 else {
            throw Failure(
                "a report through \(endpoint.reportsAddress) was not heard of on "
                    + "\(endpoint.updatesAddress) within 0.9 s; the broker may be overloaded"
            )
        }
        return seconds
    }

    /// The first message that `pick` takes; `nil` when there is none in time.
    private func first<Answer>(
        from socket: borrowing ZeroMQSocket,
        _ pick: ([[UInt8]]) throws -> Answer?
    ) throws -> Answer? {
        let deadline = ContinuousClock.now + Self.patience
        var items = [socket.pollItem]
        while ContinuousClock.now < deadline {
            while let parts = try socket.receive() {
                if let answer = try pick(parts) { return answer }
            }
            _ = try poll(&items, timeout: 50)
        }
        return nil
    }
}
