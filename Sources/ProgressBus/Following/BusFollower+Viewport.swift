import Synchronization
package import TaskTree

extension BusFollower {
    /// The parts that a viewer shows, as they are and whenever they change.
    ///
    /// The follower asks the broker for these parts and the totals only, so the cost depends on
    /// what is shown and not on how many tasks there are. The subscription may change at any time:
    /// parts that it no longer names end, new parts are delivered as soon as they are complete, and
    /// the other parts go on meanwhile.
    package func viewport(_ subscription: ViewportSubscription) -> FollowSequence<ViewportUpdate> {
        FollowSequence { () async throws(FollowError) in
            subscription.consumer(on: try await self.sharedLoop())
        } value: { delivery in
            if case .viewport(let update) = delivery { update } else { nil }
        }
    }

    /// How the tasks of at most 1,024 jobs are spread over hosts at the moment.
    ///
    /// Jobs for which the broker has not answered in time are left out. It has one second more than
    /// `timeout`, which it may need for very many tasks.
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

        /// Hands a change to all viewers; under the lock, so that changes arrive in their order.
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

    /// Begins with these parts.
    package init(_ parts: Set<ViewportPart>) {
        state = Mutex(State(parts: parts))
    }

    /// Follows these parts from now on, and no others.
    ///
    /// A part that comes back after it was not wanted is delivered as a whole.
    package func show(_ parts: Set<ViewportPart>) {
        state.withLock { state in
            state.parts = parts
            state.tellViewers { $0.show($1, parts) }
        }
    }

    /// Asks the broker for every part anew, and delivers the differences.
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
