import BusProtocol
import Synchronization
import ZeroMQ

/// Follows what all processes report to a bus.
///
/// ```swift
/// let follower = BusFollower()
/// for try await board in follower.boards { print(board.jobs.map(\.title)) }
/// ```
/// Making one does nothing. The first use starts a thread that connects to the broker, as often as
/// it takes; all sequences of a follower share it. Safe to use from any thread. Memory: the tasks
/// that are shown, at most 250,000, and one value per sequence, however slowly it is read.
public final class BusFollower: Sendable {
    private struct State {
        var loop: FollowerLoop?
        /// The tunnel to the bus's machine, if that is another one.
        var tunnel: Tunnel?
        var isClosed = false
    }

    private let configuration: BusConfiguration
    private let state = Mutex(State())

    /// Prepares to follow the bus that the configuration names; starts nothing.
    public init(_ configuration: BusConfiguration = .init()) {
        self.configuration = configuration
    }

    deinit {
        close()
    }

    /// All jobs without their children, as they are and whenever they change.
    ///
    /// The same as `boards(depth: 0)`.
    public var boards: FollowSequence<Board> { boards(depth: 0) }

    /// All jobs as they are and whenever they change, at most one value per tick of the broker.
    ///
    /// A consumer that is slow gets the newest value and none in between. A lost connection is no
    /// error but a value that says so. If there is no picture within a quarter of a second, the
    /// first value says `connecting`.
    ///
    /// - Parameters:
    ///   - depth: How many levels of children: 0 is jobs alone, `nil` everything. The children of
    ///     the 512 jobs with the lowest slots are followed.
    ///   - messages: Whether values carry the messages of those jobs.
    /// - Returns: A sequence; each iteration over it is a consumer of its own. It throws
    ///   `FollowError` where the endpoint is invalid or the broker refuses the follower, and ends
    ///   when the follower is closed.
    public func boards(depth: Int? = 0, messages: Bool = false) -> FollowSequence<Board> {
        let interest = Interest.board(depth: depth.map { max($0, 0) }, messages: messages)
        return FollowSequence { () async throws(FollowError) in
            Consumer(interest, on: try await self.sharedLoop())
        } value: { delivery in
            if case .board(let board) = delivery { board } else { nil }
        }
    }

    /// One task as it is and whenever it changes, until it has ended.
    ///
    /// The last value has the final state: succeeded, failed, cancelled or lost. It is delivered
    /// however slowly the values are read. If messages arrive after the final state, it is
    /// delivered a second time with them; the sequence waits two ticks for them. Without a broker
    /// the sequence waits for one.
    ///
    /// - Parameters:
    ///   - task: Which task.
    ///   - depth: How many levels of children; `nil` is all of them.
    /// - Returns: A sequence; each iteration over it is a consumer of its own. It throws
    ///   `FollowError`: `noSuchTask`, `ambiguous`, or `left` if the task disappeared while nobody
    ///   could see how it ended.
    public func updates(
        of task: TaskSelector,
        depth: Int? = nil
    ) -> FollowSequence<TaskUpdate> {
        let depth = depth.map { max($0, 0) }
        return FollowSequence { () async throws(FollowError) in
            do throws(FollowError) {
                let match = try await self.match(task, seconds: nil)
                let interest = Interest.task(match.task, job: match.job, depth: depth)
                return Consumer(interest, on: try await self.sharedLoop())
            } catch {
                guard error.code == .closed else { throw error }
                return nil
            }
        } value: { delivery in
            switch delivery {
            case .task(let update), .final(let update): update
            case .board, .viewport, .failed, .finished: nil
            }
        }
    }

    /// Ends all sequences and the connection; nothing can be followed afterwards.
    ///
    /// Returns at once. Calling it again does nothing.
    public func close() {
        let (loop, tunnel) = state.withLock { state in
            state.isClosed = true
            defer { (state.loop, state.tunnel) = (nil, nil) }
            return (state.loop, state.tunnel)
        }
        loop?.stop()
        tunnel?.close()
    }

    /// Connects to another machine, where the endpoint names one; does nothing for others.
    ///
    /// ssh then asks on the terminal what it has to ask, such as a password. For programs that draw
    /// on the terminal afterwards; without it, the first use connects.
    ///
    /// - Throws: `cannotConnect` with the words of ssh, `badEndpoint`, `closed`.
    public func connect() async throws(FollowError) {
        _ = try await connection()
    }

    /// Bytes of updates received so far, with the names of their topics: what following costs.
    package var receivedUpdateBytes: Int {
        state.withLock { $0.loop?.receivedUpdateBytes ?? 0 }
    }

    /// The thread all sequences share; started by the first that needs it.
    func sharedLoop() async throws(FollowError) -> FollowerLoop {
        let endpoint = try await connection().endpoint
        return try state.withLock { state throws(FollowError) in
            if state.isClosed { throw .closed }
            if let loop = state.loop { return loop }
            let loop = try FollowerLoop.start(endpoint: endpoint, isOnce: false)
            state.loop = loop
            return loop
        }
    }

    /// The endpoint that the sockets connect to, and the other machine's answer if the bus is
    /// remote.
    func connection() async throws(FollowError) -> (endpoint: BusEndpoint, there: RemoteAnswer?) {
        let bus: ViewedBus
        do {
            bus = try ViewedBus.resolve(
                explicit: configuration.endpoint,
                environment: configuration.variables
            ).bus
        } catch {
            throw FollowError(error)
        }
        switch bus {
        case .endpoint(let endpoint): return (endpoint, nil)
        case .remote(let remote):
            let tunnel = try tunnel(to: remote)
            do throws(FollowError) {
                return (tunnel.endpoint, try await tunnel.whenOpen())
            } catch {
                // The next use tries anew.
                tunnel.close()
                state.withLock { $0.tunnel = $0.tunnel === tunnel ? nil : $0.tunnel }
                throw error
            }
        }
    }

    private func tunnel(to remote: RemoteBus) throws(FollowError) -> Tunnel {
        try state.withLock { state throws(FollowError) in
            if state.isClosed { throw .closed }
            if let tunnel = state.tunnel { return tunnel }
            let tunnel = try Tunnel(to: remote)
            state.tunnel = tunnel
            return tunnel
        }
    }
}
