/// The life of one task; see `BusFollower.updates(of:depth:)`.
///
/// Conflated like boards, but the final state is always delivered.
public struct TaskUpdateSequence: AsyncSequence, Sendable {
    /// The task as it is.
    public typealias Element = TaskUpdate
    /// Why a sequence ends before the final state.
    public typealias Failure = FollowError

    let follower: BusFollower
    let task: TaskSelector
    let depth: Int?

    /// Looks the task up with the first value asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(follower: follower, task: task, depth: depth)
    }

    /// One consumer; not to be shared between tasks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let follower: BusFollower
        let task: TaskSelector
        let depth: Int?
        private var consumer: Consumer?
        private var isOver = false

        init(follower: BusFollower, task: TaskSelector, depth: Int?) {
            self.follower = follower
            self.task = task
            self.depth = depth
        }

        /// Waits for something new; `nil` after the final state, when the follower is closed or
        /// the task that waits is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FollowError) -> TaskUpdate? {
            guard !isOver, let current = try await begin(isolation: actor) else { return nil }
            switch await current.next() {
            case .task(let update):
                return update
            case .final(let update):
                isOver = true
                consumer = nil
                return update
            case .failed(let error):
                isOver = true
                throw error
            case .board, .viewport, .finished:
                return nil
            }
        }

        /// Waits for something new; `nil` after the final state, when the follower is closed or
        /// the task that waits is cancelled.
        public mutating func next() async throws(FollowError) -> TaskUpdate? {
            try await next(isolation: nil)
        }

        private mutating func begin(
            isolation actor: isolated (any Actor)?
        ) async throws(FollowError) -> Consumer? {
            if let consumer { return consumer }
            do {
                let match = try await follower.match(task, seconds: nil)
                let interest = Interest.task(match.task, job: match.job, depth: depth)
                consumer = Consumer(interest, on: try follower.sharedLoop())
                return consumer
            } catch  where error.code == .closed {
                return nil
            }
        }
    }
}
