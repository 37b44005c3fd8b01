/// What a client needs to know before it begins; everything has a default.
public struct BusConfiguration: Sendable, Hashable {
    /// Where the broker listens: `ipc:///directory`, `tcp://host:port` or the name of a joined bus.
    ///
    /// A follower also takes `ssh://[user@]host[:port][/directory]`, the bus of another machine
    /// through the system's ssh.
    ///
    /// `nil` takes the environment variable `PROGRESSBUS_ENDPOINT`, and without it the default
    /// directory of this user.
    public var endpoint: String?

    /// What this program is called, for people who look at the broker's sessions.
    ///
    /// `nil` takes the name of the executable.
    public var program: String?

    /// How long changes are collected before they go out as one frame; 50 ms unless said otherwise.
    ///
    /// Limited to 5 ms through 1 s. A shorter tick sends more frames, a longer one shows changes
    /// later; neither changes the cost of a call.
    public var tick: Duration

    /// Variables to use in place of the process' environment; `nil` uses that environment.
    public var environment: [String: String]?

    /// Whether the client warns once about a vague title, and about a job whose last handle is gone
    /// before it has ended.
    package var warnsOfMistakes = BusConfiguration.isDebugBuild

    /// The variables that the endpoint depends on: `environment`, else those of the process.
    var variables: [String: String] { environment ?? ProcessEnvironment.endpointVariables() }

    private static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    /// Collects the settings of a client.
    ///
    /// - Parameters:
    ///   - endpoint: Where the broker listens; `nil` looks into the environment.
    ///   - program: What this program is called; `nil` takes the name of the executable.
    ///   - tick: How long changes are collected before they go out.
    ///   - environment: Variables to look in; `nil` takes the process' own.
    public init(
        endpoint: String? = nil,
        program: String? = nil,
        tick: Duration = .milliseconds(50),
        environment: [String: String]? = nil
    ) {
        self.endpoint = endpoint
        self.program = program
        self.tick = tick
        self.environment = environment
    }
}
