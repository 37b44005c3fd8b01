/// When a broker turns connections away, so that its process never runs out of descriptors.
///
/// A client has up to three connections, and the broker may hold one more descriptor for its
/// process.
struct AdmissionRule: Hashable {
    static let descriptorsPerClient = 4
    /// What a broker should have at least: enough for some thousand clients.
    static let comfortable = 4_096

    /// How many descriptors the process may have open.
    let limit: Int
    /// Connections that one process may have where there is room for them.
    var perProcess = BrokerLimits().connectionsPerProcess

    /// How many processes may be watched, with a descriptor each: few enough not to take the room
    /// of connections.
    var processes: Int { min(4_096, limit / 8) }

    /// Connections that the kernel may keep waiting at each of the three sockets.
    ///
    /// With libzmq's default of 100 a thousand workers that begin at once are refused. Connections
    /// that wait when the door closes are still accepted.
    var backlog: Int { min(1_024, max(8, limit / 16)) }

    /// The number of open descriptors at which the door closes.
    ///
    /// The rest of the limit is for connections that wait then, or come until it is closed.
    var closesAt: Int {
        max(1, limit - 3 * backlog - min(1_024, max(48, limit / 16)))
    }

    /// The number at which the door opens again: lower, so that it does not swing.
    var opensAt: Int { closesAt - max(1, closesAt / 16) }

    /// Connections that one process keeps when the door is about to close.
    ///
    /// The configured number, or a quarter of the room if that is less, so that a few processes
    /// cannot close the door. That quarter counts as at least what one client needs.
    var keptPerProcess: Int { min(perProcess, max(Self.descriptorsPerClient, closesAt / 4)) }

    /// The number of open descriptors at which to count again, if `open` were counted last.
    func looksAt(_ open: Int) -> Int { max(opensAt, open + max(1, (closesAt - open) / 2)) }

    /// The connections to cut when the door is about to close: all beyond what their process keeps.
    ///
    /// The first connections in each list are kept.
    func excess<Connection>(of processes: [Int32: [Connection]]) -> [Int32: ArraySlice<Connection>]
    {
        processes.filter { $0.value.count > keptPerProcess }
            .mapValues { $0.dropFirst(keptPerProcess) }
    }

    /// How many sessions have room, if `open` descriptors are in use before the first one.
    func sessions(besides open: Int) -> Int {
        max(1, (closesAt - open) / Self.descriptorsPerClient)
    }
}
