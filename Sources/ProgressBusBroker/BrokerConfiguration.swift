import BrokerCore

/// How a broker is to run; every value has a default that suits one user on one machine.
///
/// A plain value: it is read once, when the broker begins.
public struct BrokerConfiguration: Sendable, Hashable {
    /// Where to listen: `ipc:///directory` or `tcp://host:port`, which lets in only who has a key.
    ///
    /// `nil` takes `PROGRESSBUS_ENDPOINT`, else the user's default directory. An ipc directory is
    /// made if it does not exist; it must belong to the user and be closed to everybody else. A
    /// tcp endpoint takes three ports: the one given and the two after it.
    public var endpoint: String?

    /// Seconds that succeeded and cancelled jobs stay visible: 0 to 86,400, 10 by default.
    public var linger: Double

    /// The directory that holds the journals of all endpoints, each in a subdirectory.
    ///
    /// `nil` takes `PROGRESSBUS_STATE`, else the user's state directory
    /// (`$XDG_STATE_HOME/progressbus` or `~/.local/state/progressbus`; on macOS
    /// `~/Library/Application Support/progressbus`). Missing directories are made. Brokers of two
    /// hosts must not share a subdirectory. Its name comes from the endpoint, in the user's state
    /// directory (not on macOS) also from the host: in any other directory, hosts with the same
    /// endpoint would share one.
    public var stateDirectory: String?

    /// Seconds without sessions, viewers and subscriptions after which the broker ends by itself: 0
    /// to 31,536,000; `nil`, the default, stays for ever.
    public var idleExit: Double?

    /// Milliseconds between two updates of the tree: 10 to 1,000, 50 by default.
    public var tick: Int

    /// Whether a tcp endpoint on a loopback address has no keys; false by default.
    ///
    /// Every user of the machine can connect to it then, read every title, report anything and
    /// cancel every job. A tcp endpoint that other machines reach has keys in any case.
    public var allowsLocalTCP: Bool

    /// This user's name for the bus of a tcp endpoint with keys; `nil` takes the machine's name.
    ///
    /// If the machine's name cannot name a bus, `nil` takes `bus`. A broker without an admin makes
    /// this user the first one, and writes the user's key into the user's configuration directory,
    /// as `progressbus/buses/NAME`. From then on `PROGRESSBUS_ENDPOINT=NAME` means this bus.
    public var bus: String?

    /// How much the broker takes on; each number is 1 to 1,000,000,000.
    public var limits: BrokerLimits

    /// Takes every value or its default.
    ///
    /// - Parameters:
    ///   - endpoint: see ``endpoint``.
    ///   - linger: see ``linger``.
    ///   - stateDirectory: see ``stateDirectory``.
    ///   - idleExit: see ``idleExit``.
    ///   - tick: see ``tick``.
    ///   - allowsLocalTCP: see ``allowsLocalTCP``.
    ///   - bus: see ``bus``.
    ///   - limits: see ``limits``.
    public init(
        endpoint: String? = nil,
        linger: Double = 10,
        stateDirectory: String? = nil,
        idleExit: Double? = nil,
        tick: Int = 50,
        allowsLocalTCP: Bool = false,
        bus: String? = nil,
        limits: BrokerLimits = BrokerLimits()
    ) {
        self.endpoint = endpoint
        self.linger = linger
        self.stateDirectory = stateDirectory
        self.idleExit = idleExit
        self.tick = tick
        self.allowsLocalTCP = allowsLocalTCP
        self.bus = bus
        self.limits = limits
    }
}

extension BrokerConfiguration {
    /// The core's part of the configuration; throws if a number is out of its range.
    func core(version: String) throws(BrokerError) -> CoreConfiguration {
        try check(linger, in: 0...86_400, "linger time", "seconds")
        try check(Double(tick), in: 10...1_000, "tick", "milliseconds")
        try check(idleExit ?? 0, in: 0...31_536_000, "idle time", "seconds")
        var core = CoreConfiguration()
        for (name, path, corePath) in BrokerLimits.all {
            let (number, range) = (limits[keyPath: path], BrokerLimits.range)
            guard range.contains(number) else {
                throw BrokerError(
                    .configurationInvalid,
                    "The limit \(name) is \(number); give \(range.lowerBound) to "
                        + "\(range.upperBound)."
                )
            }
            if let corePath { core[keyPath: corePath] = number }
        }
        core.version = version
        core.linger = linger
        core.tick = tick
        return core
    }

    private func check(
        _ value: Double,
        in range: ClosedRange<Double>,
        _ name: String,
        _ unit: String
    ) throws(BrokerError) {
        // Also false for NaN.
        guard range.contains(value) else {
            throw BrokerError(
                .configurationInvalid,
                "The \(name) \(value) is out of range; give \(range.lowerBound) to "
                    + "\(range.upperBound) \(unit)."
            )
        }
    }
}
