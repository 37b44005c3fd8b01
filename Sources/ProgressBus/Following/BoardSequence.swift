/// The boards of a bus, newest first come; see `BusFollower.boards(depth:messages:)`.
///
/// Conflated: a value is made when it is asked for, so a slow consumer costs nothing and sees the
/// newest picture.
public struct BoardSequence: AsyncSequence, Sendable {
    /// A board.
    public typealias Element = Board
    /// Why a sequence ends before the follower is closed.
    public typealias Failure = FollowError

    let follower: BusFollower
    let interest: Interest

    /// Begins to follow with the first value asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(follower: follower, interest: interest)
    }

    /// One consumer; not to be shared between tasks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let follower: BusFollower
        let interest: Interest
        private var consumer: Consumer?

        init(follower: BusFollower, interest: Interest) {
            self.follower = follower
            self.interest = interest
        }

        /// Waits for something new; `nil` when the follower is closed or the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FollowError) -> Board? {
            let current: Consumer
            if let consumer {
                current = consumer
            } else {
                current = Consumer(interest, on: try follower.sharedLoop())
                consumer = current
            }
            switch await current.next() {
            case .board(let board): return board
            case .failed(let error): throw error
            case .task, .final, .viewport, .finished: return nil
            }
        }

        /// Waits for something new; `nil` when the follower is closed or the task is cancelled.
        public mutating func next() async throws(FollowError) -> Board? {
            try await next(isolation: nil)
        }
    }
}

/// One place in the follower's thread, given up with the last reference.
final class Consumer: Sendable {
    let id: UInt64
    let loop: FollowerLoop

    init(_ interest: Interest, on loop: FollowerLoop) {
        self.id = loop.newID()
        self.loop = loop
        loop.send(.follow(id, interest))
    }

    deinit {
        loop.send(.unfollow(id))
    }

    /// Waits for the next value.
    func next() async -> Delivery {
        let (loop, id) = (loop, id)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.send(.next(id, continuation))
                // Cancelled before this line, the handler below had nothing to stop.
                if Task.isCancelled { loop.send(.stopWaiting(id)) }
            }
        } onCancel: {
            loop.send(.stopWaiting(id))
        }
    }
}
