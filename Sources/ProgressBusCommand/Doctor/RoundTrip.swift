import BusProtocol
import ProgressBus
import TaskTree
import ZeroMQ

/// A test of all three sockets of a broker, which speaks the protocol without the SDK.
///
/// Opens a session, sends a probe over control, then sends a report that asks for a beat and waits
/// for that beat on the updates socket. A member who may not both report and read sends only the
/// probe. Blocks its thread for a few seconds at most.
struct RoundTrip {
    /// The broker's answers and the times that they took.
    struct Result: Sendable {
        var welcome: WireWelcome
        /// The answer to the probe, which tells the state of the broker's fleet.
        var fleet: WireProbeAnswer
        /// Seconds from the question on control to its answer.
        var controlSeconds: Double
        /// Seconds from the report to the beat it asked for; `nil` if no report was sent.
        var reportSeconds: Double?
    }

    /// The step that failed, and what to do.
    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// How long each step may take.
    private static let patience = Duration.seconds(2)
    private static let patienceText = "2 s"

    private var endpoint: BusEndpoint
    private let credential = SessionCredential.random()
    private let session = SessionID.random()
    private let request = UInt64.random(in: 1...UInt64.max)

    init(through endpoint: BusEndpoint) {
        self.endpoint = endpoint
    }

    /// Takes all steps; the text of an error names the failed step and what to do, without a
    /// period.
    mutating func run() throws -> Result {
        let context = try ZeroMQContext()
        var control = try ControlSocket(
            to: endpoint,
            in: context,
            reconnectMilliseconds: ReportingSockets.reconnectMilliseconds,
            lingerMilliseconds: ReportingSockets.linger
        )
        let welcome = try greet(&control)
        let (controlSeconds, fleet) = try ask(&control)
        let reportSeconds = may(.report) && may(.read) ? try report(in: context) : nil
        try leave(&control)
        return Result(
            welcome: welcome,
            fleet: fleet,
            controlSeconds: controlSeconds,
            reportSeconds: reportSeconds
        )
    }

    private func may(_ right: Right) -> Bool {
        endpoint.membership?.role?.allows(right) ?? true
    }

    // MARK: - Control

    private mutating func greet(_ control: inout ControlSocket) throws -> WireWelcome {
        var hello = WireHello()
        hello.session = session.rawValue
        hello.viewer = !may(.report)
        hello.client = "progressbus doctor \(ProgressBusVersion.text)"
        try send(.hello(hello), through: &control)
        let welcome: WireWelcome? = try answer(from: &control) { body in
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

    private mutating func ask(_ control: inout ControlSocket) throws -> (Double, WireProbeAnswer) {
        let start = ContinuousClock.now
        var probe = WireProbe()
        probe.request = request
        try send(.probe(probe), through: &control)
        let answer: WireProbeAnswer? = try answer(from: &control) { body in
            if case .probe(let answer) = body, answer.request == request { answer } else { nil }
        }
        guard let answer else {
            throw Failure("the broker has welcomed us but does not answer a probe on control")
        }
        return ((ContinuousClock.now - start) / .seconds(1), answer)
    }

    private mutating func leave(_ control: inout ControlSocket) throws {
        var goodbye = WireGoodbye()
        goodbye.sequence = 1
        try send(.goodbye(goodbye), through: &control)
        let _: WireGoodbyeAccepted? = try answer(from: &control) { body in
            if case .goodbyeAccepted(let accepted) = body { accepted } else { nil }
        }
    }

    private mutating func send(
        _ body: WireClientFrame.OneOf_Body,
        through control: inout ControlSocket
    ) throws {
        var frame = WireClientFrame()
        frame.credentialBytes = credential.bytes
        frame.body = body
        let deadline = ContinuousClock.now + Self.patience
        // Nothing can be sent before the connection is made.
        while !control.send(frame) {
            switch try control.trouble() {
            // Without its period, as every failure here.
            case .refused(let sentence): throw Failure(String(sentence.dropLast()))
            case .renewed(let membership): endpoint = try BusEndpoint(membership)
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
        from control: inout ControlSocket,
        _ pick: (WireBrokerFrame.OneOf_Body) -> Answer?
    ) throws -> Answer? {
        // Only the first item: the outcome of handshakes does not matter any more.
        try first(of: control.pollItems[..<1]) { () throws -> Answer? in
            guard let body = try control.receive()?.get().body else { return nil }
            if case .refusal(let refusal) = body {
                throw Failure("the broker refuses us: \(refusal.sentence)")
            }
            return pick(body)
        }
    }

    // MARK: - Reports and updates

    /// Measures how many seconds a report takes to come back as an update.
    ///
    /// `nil` if `progressbus ssh` started this process and no update comes, because it passes on no
    /// updates of a bus with keys.
    private func report(in context: ZeroMQContext) throws -> Double? {
        let updates = try ZeroMQSocket(.sub, in: context)
        try updates.subscribe(Array(Topic.probe(request).name.utf8))
        try updates.prepare(
            for: endpoint,
            reconnectMilliseconds: ReportingSockets.reconnectMilliseconds
        )
        try updates.connect(endpoint.updatesAddress)
        guard try first(of: [updates.pollItem], { try updates.receive() }) != nil else {
            if RemoteShell.isForwarded(endpoint) { return nil }
            throw Failure(
                "nothing comes from \(endpoint.updatesAddress): viewers see nothing; end the "
                    + "broker and start another"
            )
        }

        let reports = try ReportingSockets.connectReports(to: endpoint, in: context)
        let subscription = try first(of: [reports.pollItem]) {
            try reports.receive().flatMap { $0.first?.first == 1 ? $0 : nil }
        }
        guard subscription != nil else {
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
        let beat = try first(of: [updates.pollItem]) { try updates.receive() }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // A quiet topic has a beat once a second anyway; only an earlier one answers the report.
        guard beat != nil, seconds < 0.9 else {
            throw Failure(
                "a report through \(endpoint.reportsAddress) was not heard of on "
                    + "\(endpoint.updatesAddress) within 0.9 s; the broker may be overloaded"
            )
        }
        return seconds
    }

    /// Polls the items until `look` returns an answer; `nil` if it returns none in time.
    private func first<Answer>(
        of items: some Sequence<PollItem>,
        _ look: () throws -> Answer?
    ) throws -> Answer? {
        let deadline = ContinuousClock.now + Self.patience
        var items = Array(items)
        while ContinuousClock.now < deadline {
            if let answer = try look() { return answer }
            _ = try poll(&items, timeout: 50)
        }
        return nil
    }
}
