import BrokerCore
public import ProgressBus
import Synchronization
import TaskTree

/// A bus in memory, for tests of code that reports: a broker without a process, sockets or files.
///
/// ```swift
/// let bus = TestBus()
/// try await importPhotos(from: folder, reportingTo: bus.client)
/// let job = try #require(bus.jobs.first)
/// #expect(job.state == .succeeded && job.completed == 12)
/// ```
/// What is reported is on the bus at once. Time stands still until `advance(by:)` lets it pass, so
/// that rates, stalls and the time left are the same in every run.
///
/// The bus runs the code of the real broker without its sockets, so what is true here is true
/// there. Safe to use from any thread; tests that run at the same time each make their own bus.
public final class TestBus: Sendable {
    /// Seconds in one step of time; after each, the clients and the broker do what is due.
    private static let step = 0.1
    /// Unix seconds when the bus begins: a day in January 2027.
    private static let unixStart = 1_800_000_000.0

    /// Nanoseconds since the bus began; not in `state`, as it is read while that is locked.
    private let time = Atomic<Int64>(0)
    private let state = Mutex(DirectBroker(unixTime: TestBus.unixStart))
    private let ownClient = Mutex<BusClient?>(nil)

    /// Makes an empty bus.
    public init() {}

    /// The client for the code under test; the same at every call.
    public var client: BusClient {
        ownClient.withLock { own in
            if let own { return own }
            let client = makeClient()
            own = client
            return client
        }
    }

    /// Makes a further client, as another process would.
    ///
    /// - Returns: The client. Its tasks are its own session's; it redeems the tickets of others.
    public func makeClient() -> BusClient {
        let (client, session) = BusClient.direct(
            present: { [weak self] in self?.now ?? Moment(nanoseconds: 0) },
            unixOffset: Self.unixStart,
            serve: { [weak self] in self?.serve() }
        )
        state.withLock { $0.add(session) }
        serve()
        return client
    }

    /// Lets time pass; what becomes due meanwhile happens, such as heartbeats and timeouts.
    ///
    /// - Parameter duration: How much time; limited to 0 through about 115 days. Costs some 50
    ///   microseconds for each tenth of a second.
    public func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var left = min(max(Double(seconds) + Double(attoseconds) / 1e18, 0), 1e7)
        while left > 0 {
            let step = min(left, Self.step)
            left -= step
            time.wrappingAdd(Int64((step * 1e9).rounded()), ordering: .sequentiallyConsistent)
            serve(isTick: true)
        }
    }

    /// The whole bus as viewers see it now, with all children of all jobs.
    public var board: Board {
        let now = now
        return state.withLock { broker in
            broker.serve(at: now)
            broker.tick(at: now)
            guard
                case .board(let board)? = broker.answer(to: DirectViewer(.board, at: now), at: now)
            else {
                return Board(connection: .connecting)
            }
            return board
        }
    }

    /// The jobs on the board, by slot, each with its children.
    ///
    /// A job that has succeeded or was cancelled leaves the board 10 seconds later; one that has
    /// failed stays.
    public var jobs: [TaskSnapshot] { board.jobs }

    /// The first task with a title, of all jobs and their children, parents before their children.
    ///
    /// - Parameter title: The whole title.
    /// - Returns: The task with its children; `nil` if none has the title.
    public func task(titled title: String) -> TaskSnapshot? {
        var rest = jobs
        while !rest.isEmpty {
            if let found = rest.first(where: { $0.title == title }) { return found }
            rest = rest.flatMap(\.children)
        }
        return nil
    }

    /// Asks for a task to be cancelled, paused, resumed or dismissed, as a viewer does.
    ///
    /// Returns when the handlers of all sessions that own something of the task have answered.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - task: Which task; a job's key is its title unless it was given one.
    /// - Returns: An answer for each session asked, or the broker's own.
    /// - Throws: `FollowError`: `noSuchTask`, `ambiguous`, `refused`.
    @discardableResult
    public func perform(
        _ request: TaskRequest,
        on task: TaskSelector
    ) async throws(FollowError) -> [SessionAnswer] {
        serve(isTick: true)
        guard case .found(let matches) = try await answer(to: .find(task)) else { return [] }
        let id = try task.only(of: matches).task
        let command = Inquiry.command(request, id, timeout: .seconds(10))
        guard case .answered(let answers) = try await answer(to: command) else { return [] }
        return answers
    }

    private func answer(to question: Inquiry) async throws(FollowError) -> InquiryResult {
        let viewer = DirectViewer(.inquiry(question), at: now)
        let result: InquiryResult = await withCheckedContinuation { continuation in
            state.withLock { broker in
                broker.ask(viewer) { answer in
                    if case .inquiry(let result) = answer { continuation.resume(returning: result) }
                }
            }
            serve()
        }
        if case .failed(let error) = result { throw error }
        return result
    }

    private var now: Moment { Moment(nanoseconds: time.load(ordering: .sequentiallyConsistent)) }

    /// Passes on all frames that are due; a tick also lets the broker do what is due.
    private func serve(isTick: Bool = false) {
        let now = now
        state.withLock { broker in
            broker.serve(at: now)
            if isTick { broker.tick(at: now) }
        }
    }
}
