/// What a viewer shows, value by value; see `BusFollower.pictures(of:)`.
///
/// Conflated: a value is made when it is asked for and holds all changes since the one before.
package struct PictureSequence: AsyncSequence, Sendable {
    /// A picture.
    package typealias Element = Picture
    /// Why a sequence ends before the follower is closed.
    package typealias Failure = FollowError

    let follower: BusFollower
    let wish: PictureWish

    /// Begins to follow with the first value asked for.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(follower: follower, wish: wish)
    }

    /// One consumer; not to be shared between tasks.
    package struct AsyncIterator: AsyncIteratorProtocol {
        let follower: BusFollower
        let wish: PictureWish
        private var consumer: Consumer?

        init(follower: BusFollower, wish: PictureWish) {
            self.follower = follower
            self.wish = wish
        }

        /// Waits for something new; `nil` when the follower is closed or the task is cancelled.
        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FollowError) -> Picture? {
            let current: Consumer
            if let consumer {
                current = consumer
            } else {
                current = wish.consumer(on: try follower.sharedLoop())
                consumer = current
            }
            switch await current.next() {
            case .picture(let picture): return picture
            case .failed(let error): throw error
            case .board, .task, .final, .finished: return nil
            }
        }

        /// Waits for something new; `nil` when the follower is closed or the task is cancelled.
        package mutating func next() async throws(FollowError) -> Picture? {
            try await next(isolation: nil)
        }
    }
}
