package import BusProtocol
package import TaskTree

/// What changed in the parts of the bus that a viewer shows, and how fresh they are.
///
/// A task is delivered once, and again when it changes; the viewer keeps it. An update costs what
/// has changed, and a look at each followed block with changes.
package struct ViewportUpdate: Sendable {
    /// How fresh the picture is; a value that says `reconnecting` changes nothing in it.
    package var connection: Board.Connection
    /// What is known of the broker; `nil` before the first picture.
    package var broker: Board.Broker?
    /// The highest slot that a job has; 0 without any.
    package var highestSlot = 0
    /// All tasks, by slot or place, of each part that is new or has other tasks than in the value
    /// before.
    package var members: [ViewportPart: [TaskID]] = [:]
    /// Tasks that are new or changed, each once and without children.
    package var changed: [TaskSnapshot] = []
    /// Tasks that are in no followed part any more; the newest 1,000.
    ///
    /// Tasks of parts that are no longer wanted are not among them, nor tasks that moved elsewhere.
    package var left: [Board.Departure] = []
    /// Mosaics that are new or changed, a byte a cell as in section 6 of the protocol.
    package var states: [ViewportPart: [UInt8]] = [:]
    /// Jobs whose tasks by host are new or changed.
    package var hosts: [TaskID: JobHosts] = [:]
    /// Messages since the value before, and the history of jobs that are new among the parts.
    package var messages: [TaskMessage] = []
    /// Whether there is no picture of some part yet.
    package var isLoading: Bool

    package init(connection: Board.Connection, isLoading: Bool = false) {
        self.connection = connection
        self.isLoading = isLoading
    }
}

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
    /// How many more hosts there are; `others` counts their tasks.
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
