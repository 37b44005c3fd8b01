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

    /// How many processes may be watched: a descriptor each, beside three for its connections, and
    /// never so many that connections are refused for it.
    var processes: Int { min(4_096, limit / 8) }

    /// Connections that the kernel may keep waiting at each of the three sockets.
    ///
    /// With libzmq's default of 100 a thousand workers that begin at once are refused. What waits
    /// when the door closes is still let in.
    var backlog: Int { min(1_024, max(8, limit / 16)) }

    /// At so many open descriptors the door closes: what waits at it, and what comes before it is
    /// closed, still finds room.
    var closesAt: Int {
        max(1, limit - 3 * backlog - min(1_024, max(48, limit / 16)))
    }

    /// At so many it opens again; less, so that it does not swing.
    var opensAt: Int { closesAt - max(1, closesAt / 16) }

    /// Connections that a process keeps when the door is about to close: never so many that a few
    /// processes could close it, and as many as their sessions need.
    var keptPerProcess: Int { min(perProcess, max(Self.descriptorsPerClient, closesAt / 4)) }

    /// How many may be open before it is looked again, at most, if so many are.
    func looksAt(_ open: Int) -> Int { max(opensAt, open + max(1, (closesAt - open) / 2)) }

    /// What is to be cut where the door is about to close, of connections in their order: of the
    /// processes that have too many, what they have too many.
    func excess<Connection>(of processes: [Int32: [Connection]]) -> [Int32: ArraySlice<Connection>]
    {
        processes.filter { $0.value.count > keptPerProcess }
            .mapValues { $0.dropFirst(keptPerProcess) }
    }

    /// How many sessions may be known, if so many descriptors are open before the first.
    func sessions(besides open: Int) -> Int {
        max(1, (closesAt - open) / Self.descriptorsPerClient)
    }
}
