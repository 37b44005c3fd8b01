import BusProtocol
public import TaskTree

/// Reports what this process is doing to the progress bus of its user.
///
/// One client per process is enough; make it where the program starts and keep it. A client is a
/// session: its tasks are lost together when the process dies.
///
/// Nothing here blocks, throws or slows the work down, whether a broker runs or not: what changes is
/// collected in bounded memory and goes out in one frame per tick as soon as somebody listens. With
/// the first task the client starts one thread, which sleeps while nobody listens.
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
    /// default directory of this user. One that cannot be understood is warned about once (swift-log,
    /// label `progressbus`); the client then reports to nobody.
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

    /// Where the broker is expected: `ipc:///directory` or `tcp://host:port`.
    ///
    /// `nil` if what was configured could not be understood.
    public var endpoint: String? { reporter.endpoint?.description }

    /// Whether a broker knows this session at the moment; a hint that may be old by now.
    public var isConnected: Bool { reporter.isConnected }

    /// Waits until the broker has everything that was said before, endings journalled.
    ///
    /// - Parameter timeout: How long to wait at most.
    /// - Returns: Whether the broker has it. False at once where nobody listens and nobody ever has,
    ///   and when the calling Swift task is cancelled.
    public func sync(timeout: Duration = .seconds(5)) async -> Bool {
        await reporter.wait(isClosing: false, nanoseconds: timeout.nanoseconds)
    }

    /// Ends the session once every ending was acknowledged.
    ///
    /// Call it last: tasks begun later are reported to nobody, and tasks that have not ended are
    /// shown as lost, or as cancelled once the process has ended with status 0. After a call that
    /// returned true, the next returns true. Without a call the end of the process waits for as long
    /// as the broker goes on acknowledging, 10 s at most, and not at all where none listens. What no
    /// broker on this machine has acknowledged is left for the next one in files.
    ///
    /// - Parameter timeout: How long to wait for acknowledgements; returns at once where nobody
    ///   listens and nobody ever has. A tcp endpoint that has never answered is waited for 1 s.
    /// - Returns: Whether a broker has every ending in its journal (true if there were none). False
    ///   at once when the calling Swift task is cancelled: what is left is told until the process
    ///   ends.
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
    /// Held within what an `Int64` holds, about 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows, abs(seconds) < 1 << 32 else { return seconds < 0 ? -1 << 62 : 1 << 62 }
        return whole + attoseconds / 1_000_000_000
    }
}
