import BusProtocol
public import TaskTree

/// Reports what this process is doing to the progress bus of its user.
///
/// One client per process is enough; make it where the program starts and keep it. A client is a
/// session: its tasks are lost together when the process dies.
///
/// Reporting never blocks, throws or slows the work down, whether a broker runs or not. The client
/// collects changes in bounded memory and sends them in one frame per tick while a broker listens.
/// The first task starts one thread, which sleeps while no broker listens.
///
/// Safe to use from any thread. In a forked child a client of the parent does nothing; make a new
/// one there.
public final class BusClient: Sendable {
    let reporter: Reporter
    let environment: [String: String]?
    /// Whether the endpoint is the one that the environment names.
    let isOfEnvironment: Bool

    /// Makes a client; opens nothing and starts nothing until the first task begins.
    ///
    /// The endpoint comes from the configuration, else from `PROGRESSBUS_ENDPOINT`, else it is the
    /// default directory of this user. If it cannot be understood, the client warns once
    /// (swift-log, label `progressbus`) and reports to nobody.
    ///
    /// - Parameter configuration: Where the broker is and how this program is called.
    public init(_ configuration: BusConfiguration = BusConfiguration()) {
        environment = configuration.environment
        let variables = configuration.variables
        var resolved: BusEndpoint?
        var complaint: String?
        do throws(EndpointError) {
            resolved = try BusEndpoint.resolve(
                explicit: configuration.endpoint,
                environment: variables
            ).endpoint
        } catch {
            complaint = error.sentence
        }
        let usual = try? BusEndpoint.resolve(explicit: nil, environment: variables).endpoint
        isOfEnvironment = resolved == usual
        let program = configuration.program ?? ProcessFacts.executableName
        let tick = max(.milliseconds(5), min(configuration.tick, .seconds(1)))
        reporter = Reporter(
            identity: .ofThisProcess(program: program),
            endpoint: resolved,
            tickNanoseconds: tick.nanoseconds,
            warnsOfMistakes: configuration.warnsOfMistakes
        )
        if let complaint { reporter.warn("Nothing is reported: \(complaint)") }
    }

    init(reporter: Reporter, environment: [String: String]?, isOfEnvironment: Bool) {
        self.reporter = reporter
        self.environment = environment
        self.isOfEnvironment = isOfEnvironment
    }

    deinit {
        reporter.release()
    }

    /// The public name of this session; it is part of the ids of all its tasks.
    public var session: SessionID { reporter.session }

    /// Where the broker is expected: `ipc:///directory`, `tcp://host:port` or the name of a joined
    /// bus.
    ///
    /// `nil` if the configured endpoint could not be understood.
    public var endpoint: String? { reporter.endpoint?.description }

    /// Whether a broker knows this session at the moment; a hint that may be old by now.
    public var isConnected: Bool { reporter.isConnected }

    /// Waits until the broker has everything reported before this call, endings in its journal.
    ///
    /// - Parameter timeout: How long to wait at most.
    /// - Returns: Whether the broker has it. Returns false at once if tasks have begun but no
    ///   broker listens and none has ever answered, or when the calling Swift task is cancelled.
    public func sync(timeout: Duration = .seconds(5)) async -> Bool {
        await reporter.wait(isClosing: false, nanoseconds: timeout.nanoseconds)
    }

    /// Ends the session once a broker has acknowledged every ending.
    ///
    /// Call it last: tasks begun later are reported to nobody. A task that has not ended is shown
    /// as lost, or as cancelled once the process has ended with status 0. After a call that
    /// returned true, the next returns true.
    ///
    /// Without this call, the end of the process waits while the broker goes on acknowledging, 10 s
    /// at most, and does not wait for a broker if none listens. Endings that no broker on this
    /// machine has acknowledged are left in files for the next one.
    ///
    /// - Parameter timeout: How long to wait for acknowledgements. The call returns at once if no
    ///   broker listens and none has ever answered; it waits at most 1 s for a tcp endpoint that
    ///   has never answered.
    /// - Returns: Whether a broker has every ending in its journal (true if there were none).
    ///   Returns false at once when the calling Swift task is cancelled; the session then goes on
    ///   closing until the process ends.
    @discardableResult
    public func close(timeout: Duration = .seconds(5)) async -> Bool {
        await reporter.wait(isClosing: true, nanoseconds: timeout.nanoseconds)
    }
}

extension ReportingMachine.Identity {
    /// A new session of this process.
    static func ofThisProcess(program: String) -> Self {
        Self(
            session: .random(),
            credential: SessionCredential.random().bytes,
            process: ProcessFacts.current(),
            client: "\(program) (ProgressBus \(ProgressBusVersion.text))"
                .clipped(toBytes: ProtocolLimits.clientBytes)
        )
    }
}

extension Duration {
    /// The duration in nanoseconds; 2³² s (136 years) and more count as 2⁶² ns.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows, abs(seconds) < 1 << 32 else { return seconds < 0 ? -1 << 62 : 1 << 62 }
        return whole + attoseconds / 1_000_000_000
    }
}
