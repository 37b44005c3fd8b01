package import BusProtocol
package import TaskTree

/// How many tasks below a job are in which state, by host.
package struct JobHosts: Sendable, Equatable {
    package struct Host: Sendable, Equatable {
        /// Empty where it is not known.
        package var name: String
        package var counts: StateCounts

        package init(name: String, counts: StateCounts) {
            self.name = name
            self.counts = counts
        }
    }

    /// By name; at most 100.
    package var hosts: [Host]
    /// How many more there are, and their tasks.
    package var otherHosts = 0
    package var others = StateCounts()
    /// Whether there are more tasks than were counted.
    package var isPartial = false

    package init(hosts: [Host]) {
        self.hosts = hosts
    }

    package init(_ wire: WireHosts) {
        hosts = wire.hosts.map { Host(name: $0.host, counts: StateCounts($0.counts)) }
        otherHosts = Int(clamping: wire.otherHosts)
        others = StateCounts(wire.others)
        isPartial = wire.partial
    }
}
