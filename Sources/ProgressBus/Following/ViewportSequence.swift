/// What a viewer shows, value by value; see `BusFollower.viewport(_:)`.
///
/// Conflated: a value is made when it is asked for and holds all changes since the one before.
package struct ViewportSequence: AsyncSequence, Sendable {
    /// What changed.
    package typealias Element = ViewportUpdate
    /// Why a sequence ends before the follower is closed.
    package typealias Failure = FollowError

    let follower: BusFollower
    let subscription: ViewportSubscription

    /// Begins to follow with the first value asked for.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(follower: follower, subscription: subscription)
    }

    /// One consumer; not to be shared between tasks.
    package struct AsyncIterator: AsyncIteratorProtocol {
        let follower: BusFollower
        let subscription: ViewportSubscription
        private var consumer: Consumer?

        init(follower: BusFollower, subscription: ViewportSubscription) {
            self.follower = follower
            self.subscription = subscription
        }

        /// Waits for something new; `nil` when the follower is closed or the task is cancelled.
        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FollowError) -> ViewportUpdate? {
            let current: Consumer
            if let consumer {
                current = consumer
            } else {
                current = subscription.consumer(on: try follower.sharedLoop())
                consumer = current
            }
            switch await current.next() {
            case .viewport(let update): return update
            case .failed(let error): throw error
            case .board, .task, .final, .finished: return nil
            }
        }

        /// Waits for something new; `nil` when the follower is closed or the task is cancelled.
        package mutating func next() async throws(FollowError) -> ViewportUpdate? {
            try await next(isolation: nil)
        }
    }
}
