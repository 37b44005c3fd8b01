extension BusFollower {
    /// The parts that a viewer shows, as they are and whenever they change.
    ///
    /// Nothing else is asked of the broker but totals and what needs attention, so that it costs
    /// what is shown, not what there is. The subscription may change at any time: parts that it no
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
}
