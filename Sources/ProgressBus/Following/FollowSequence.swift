/// The values of one follow: boards, the states of a task, or updates of a viewport's parts.
///
/// Values are conflated: each is made when it is asked for, so that a slow consumer costs nothing
/// and sees the newest state. The final state of a task is always delivered. Each iteration is a
/// consumer of its own, which begins to follow when it asks for its first value.
public struct FollowSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// Why a sequence ends before the follower is closed.
    public typealias Failure = FollowError

    /// Begins to follow; `nil` where the follower is closed.
    let begin: @Sendable () async throws(FollowError) -> Consumer?
    /// The value in a delivery; `nil` for the end.
    let value: @Sendable (Delivery) -> Element?

    /// Begins to follow with the first value asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(sequence: self)
    }

    /// One consumer; not to be shared between tasks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let sequence: FollowSequence
        private var consumer: Consumer?
        private var isOver = false

        init(sequence: FollowSequence) {
            self.sequence = sequence
        }

        /// Waits for something new; `nil` after the final state of a task, when the follower is
        /// closed or the Swift task that waits is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FollowError) -> Element? {
            guard !isOver else { return nil }
            if consumer == nil { consumer = try await sequence.begin() }
            guard let delivery = await consumer?.next() else { return nil }
            switch delivery {
            case .final, .failed:
                isOver = true
                consumer = nil
            case .board, .task, .viewport, .finished: break
            }
            if case .failed(let error) = delivery { throw error }
            return sequence.value(delivery)
        }

        /// Waits for something new; `nil` after the final state of a task, when the follower is
        /// closed or the Swift task that waits is cancelled.
        public mutating func next() async throws(FollowError) -> Element? {
            try await next(isolation: nil)
        }
    }
}

/// The registration of a consumer with the follower's thread, until the last reference is gone.
final class Consumer: Sendable {
    let id: UInt64
    let loop: FollowerLoop

    init(_ interest: Interest, on loop: FollowerLoop) {
        let id = loop.newID()
        self.id = id
        self.loop = loop
        loop.send { $0.machine.follow(id, interest, at: .present) }
    }

    deinit {
        loop.send { [id] consumers in
            consumers.machine.unfollow(id)
            consumers.finish(id)
        }
    }

    /// Waits for the next value.
    func next() async -> Delivery {
        let (loop, id) = (loop, id)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTaken = loop.send { $0.wait(id, continuation) }
                if !isTaken { continuation.resume(returning: .finished) }
                // If the cancellation came before this line, `onCancel` below found nothing to
                // finish.
                if Task.isCancelled { loop.send { $0.finish(id) } }
            }
        } onCancel: {
            loop.send { $0.finish(id) }
        }
    }
}
