/// What a client needs to know before it begins; everything has a default.
public struct BusConfiguration: Sendable, Hashable {
    /// Where the broker listens: `ipc:///directory` or `tcp://host:port`.
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
    /// Held within 5 ms and 1 s. Shorter costs frames, longer costs freshness; neither changes the
    /// cost of a call.
    public var tick: Duration

    /// Variables to look in instead of the process' own environment; `nil` takes the latter.
    public var environment: [String: String]?

    /// Whether titles that say nothing, and jobs that nobody can end any more, are warned about once.
    package var warnsOfMistakes = BusConfiguration.isDebugBuild

    /// The variables that say which bus is meant: those given, else the process's.
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
