package import BusProtocol
import Synchronization
package import TaskTree

extension BusFollower {
    /// The parts that a viewer shows, as they are and whenever they change.
    ///
    /// Nothing else is asked of the broker but totals, so that it costs what is shown, not what
    /// there is. The subscription may change at any time: parts that it no longer names are left,
    /// new ones are delivered as soon as they are complete, and others go on meanwhile.
    package func viewport(_ subscription: ViewportSubscription) -> FollowSequence<ViewportUpdate> {
        FollowSequence { () async throws(FollowError) in
            subscription.consumer(on: try await self.sharedLoop())
        } value: { delivery in
            if case .viewport(let update) = delivery { update } else { nil }
        }
    }

    /// How the tasks of at most 1,024 jobs are spread over hosts, as they are now: what the broker
    /// has said of them in time, to which the second is added that it may take for very many tasks.
    package func hosts(of jobs: Set<TaskID>, timeout: Duration) async -> [TaskID: JobHosts] {
        guard !jobs.isEmpty else { return [:] }
        let parts = Set(jobs.map { ViewportPart.hosts(of: $0) })
        let counting = Task {
            var known: [TaskID: JobHosts] = [:]
            var updates = viewport(ViewportSubscription(parts)).makeAsyncIterator()
            while known.count < jobs.count, let update = try? await updates.next() {
                known.merge(update.hosts) { $1 }
            }
            return known
        }
        let limit = Task {
            try await Task.sleep(for: timeout + .seconds(1))
            counting.cancel()
        }
        defer { limit.cancel() }
        return await counting.value
    }
}

/// Which parts a viewer wants to follow, changed as it scrolls.
///
/// Safe to use from any thread. At most 1,024 parts are followed; of more, some are left out.
package final class ViewportSubscription: Sendable {
    private struct Viewer {
        weak var consumer: Consumer?
    }

    private struct State {
        var parts: Set<ViewportPart>
        var viewers: [Viewer] = []

        /// Under the lock, so that changes arrive in the order in which they were made.
        mutating func tellViewers(
            _ change: @escaping @Sendable (inout FollowerMachine, _ id: UInt64) -> Void
        ) {
            viewers.removeAll { $0.consumer == nil }
            for consumer in viewers.compactMap(\.consumer) {
                consumer.loop.send { [id = consumer.id] in change(&$0.machine, id) }
            }
        }
    }

    private let state: Mutex<State>

    /// Wants these parts at first.
    package init(_ parts: Set<ViewportPart>) {
        state = Mutex(State(parts: parts))
    }

    /// Wants these parts from now on, and no others.
    ///
    /// A part that comes back after it was not wanted is delivered as a whole.
    package func show(_ parts: Set<ViewportPart>) {
        state.withLock { state in
            state.parts = parts
            state.tellViewers { $0.show($1, parts) }
        }
    }

    /// Asks the broker for every part anew; what is found to be different is delivered.
    package func refresh() {
        state.withLock { $0.tellViewers { $0.refresh($1, at: .present) } }
    }

    /// A consumer that follows these parts as long as it lives.
    func consumer(on loop: FollowerLoop) -> Consumer {
        state.withLock { state in
            let consumer = Consumer(.viewport(state.parts), on: loop)
            state.viewers.append(Viewer(consumer: consumer))
            return consumer
        }
    }
}

/// What changed in the parts of the bus that a viewer shows, and how fresh they are.
///
/// Tasks are given once and then again when they change; whoever shows them keeps them. Costs what
/// has changed, and a look at each followed block in which something has.
package struct ViewportUpdate: Sendable {
    /// How fresh the picture is; `reconnecting`: as it was, and this value changes nothing.
    package var connection: Board.Connection
    /// What is known of the broker; `nil` before the first picture.
    package var broker: Board.Broker?
    /// The highest slot that a job has; 0 without any.
    package var highestSlot = 0
    /// Of parts with rows that are new or have other tasks than in the value before: all tasks, by
    /// slot or place.
    package var members: [ViewportPart: [TaskID]] = [:]
    /// Tasks that are new or changed, each once and without children.
    package var changed: [TaskSnapshot] = []
    /// Tasks that are in no followed part any more; the newest 1,000.
    ///
    /// What was in a part that is no longer wanted is not among them, nor what hangs elsewhere now.
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
