package import TaskTree

extension BusFollower {
    /// The parts that a viewer shows, as they are and whenever they change.
    ///
    /// Nothing else is asked of the broker but totals, so that it costs what is shown, not what there is. The subscription may change at any time: parts that it no
    /// longer names are left, new ones are delivered as soon as they are complete, and others go on
    /// meanwhile.
    ///
    /// - Parameter subscription: Which parts.
    /// - Returns: A sequence; each iteration over it is a consumer of its own. It throws
    ///   `FollowError` where the endpoint is none or the broker refuses to speak with us, and ends
    ///   when the follower is closed.
    package func viewport(_ subscription: ViewportSubscription) -> FollowSequence<ViewportUpdate> {
        FollowSequence { () async throws(FollowError) in
            subscription.consumer(on: try await self.sharedLoop())
        } value: { delivery in
            if case .viewport(let update) = delivery { update } else { nil }
        }
    }

    /// How the tasks of jobs are spread over hosts, as they are now: what a viewer follows of them.
    ///
    /// - Parameters:
    ///   - jobs: Which jobs; at most 1,024.
    ///   - timeout: How long to wait, besides the second that a broker may take for very many tasks.
    /// - Returns: Those of which the broker has said it by then.
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
