import BusProtocol
import TaskTree
import ZeroMQ

extension BusFollower {
    /// All jobs as they are now, asked for once on a connection of its own.
    ///
    /// - Parameters:
    ///   - depth: How many levels of children: 0 is jobs alone, `nil` everything.
    ///   - timeout: How long the broker may stay silent. As long as it answers, the call waits for
    ///     all of the answer, whatever its size.
    /// - Returns: The board, with `connection` `.live`.
    /// - Throws: `noBroker` at once where an ipc endpoint has none, `timedOut`, `busy`, `refused`.
    public func status(
        depth: Int? = nil,
        timeout: Duration = .seconds(1)
    ) async throws(FollowError) -> Board {
        let everything = Interest.board(depth: depth.map { max($0, 0) }, messages: false)
        guard case .board(let board) = try await look(at: everything, timeout: timeout) else {
            throw .closed
        }
        return board
    }

    /// One task as it is now, asked for once on a connection of its own.
    ///
    /// - Parameters:
    ///   - task: Which task.
    ///   - depth: How many levels of children: 0 is the task alone, `nil` everything.
    ///   - timeout: As for `status(depth:timeout:)`.
    /// - Returns: The task.
    /// - Throws: As `find(_:timeout:)`; `left` if it has gone meanwhile.
    public func status(
        of task: TaskSelector,
        depth: Int? = nil,
        timeout: Duration = .seconds(1)
    ) async throws(FollowError) -> TaskSnapshot {
        let match = try await find(task, timeout: timeout)
        let one = Interest.task(match.task, job: match.job, depth: depth.map { max($0, 0) })
        switch try await look(at: one, timeout: timeout) {
        case .task(let update), .final(let update): return update.task
        case .board, .viewport, .failed, .finished: throw .closed
        }
    }

    /// The first complete value of an interest, on a connection of its own.
    private func look(
        at interest: Interest,
        timeout: Duration
    ) async throws(FollowError) -> Delivery {
        let endpoint = try await endpointWithBroker()
        let loop = try FollowerLoop.start(endpoint: endpoint, isOnce: true)
        let consumer = Consumer(interest, on: loop)
        let limit = Task { [id = consumer.id] in
            try await loop.waitForSilence(of: timeout)
            loop.send { $0.finish(id, .failed($0.machine.silence)) }
        }
        defer {
            limit.cancel()
            loop.stop()
        }
        let delivery = await consumer.next()
        guard case .failed(let error) = delivery else { return delivery }
        throw error.knowingThatSomebodyListens(at: endpoint)
    }

    /// Returns when the broker has sent no welcome and no snapshot chunk for `patience`; throws if
    /// cancelled.
    package func waitForSilence(of patience: Duration) async throws {
        try await sharedLoop().waitForSilence(of: patience)
    }

    /// The one task that a selector names.
    ///
    /// - Parameters:
    ///   - task: Which task.
    ///   - timeout: How long to wait for the answer.
    /// - Returns: The task.
    /// - Throws: `noSuchTask`, `ambiguous` with the candidates, `noBroker`, `timedOut`, `busy`,
    ///   `refused`.
    public func find(
        _ task: TaskSelector,
        timeout: Duration = .seconds(1)
    ) async throws(FollowError) -> TaskMatch {
        _ = try await endpointWithBroker()
        return try await match(task, seconds: timeout.inSeconds)
    }

    /// All tasks that a selector may name, with `slot`, `path` and `places`; none is no error.
    package func locate(
        _ task: TaskSelector,
        timeout: Duration = .seconds(1)
    ) async throws(FollowError) -> [TaskMatch] {
        _ = try await endpointWithBroker()
        return try await matches(task, seconds: timeout.inSeconds)
    }

    /// The tasks of a job that pass a filter, as many as one answer names, and how many there are
    /// in all.
    ///
    /// - Throws: Also `refused` where the broker is too old for it.
    package func search(
        _ search: TaskSearch,
        timeout: Duration = .seconds(1)
    ) async throws(FollowError) -> SearchHits {
        _ = try await endpointWithBroker()
        let answer = try await ask(.search(search), seconds: timeout.inSeconds)
        guard case .hits(let hits) = answer else { throw .noAnswerInTime }
        return hits
    }

    /// Asks every session that owns something of a task to do this, and gathers their answers.
    ///
    /// - Parameters:
    ///   - request: What is to be done.
    ///   - task: Which task.
    ///   - timeout: How long to wait for answers; sessions without one count as `noAnswer`.
    /// - Returns: One answer per session asked, or the broker's own.
    /// - Throws: `noSuchTask`, `ambiguous`, `noBroker`, `timedOut`, `busy`, `refused`.
    public func perform(
        _ request: TaskRequest,
        on task: TaskSelector,
        timeout: Duration = .seconds(10)
    ) async throws(FollowError) -> [SessionAnswer] {
        _ = try await endpointWithBroker()
        let target: TaskID
        if let id = task.id {
            target = id
        } else {
            target = try await match(task, seconds: timeout.inSeconds).task
        }
        let question = Inquiry.command(request, target, timeout: timeout)
        // The broker keeps the timeout; one second more is for a broker that does not answer at
        // all.
        let answer = try await ask(question, seconds: timeout.inSeconds + 1)
        guard case .answered(let answers) = answer else { return [] }
        return answers
    }

    /// Resolves a name; `nil` seconds waits for a broker as long as it takes.
    func match(_ task: TaskSelector, seconds: Double?) async throws(FollowError) -> TaskMatch {
        try task.only(of: await matches(task, seconds: seconds))
    }

    private func matches(
        _ task: TaskSelector,
        seconds: Double?
    ) async throws(FollowError) -> [TaskMatch] {
        let answer = try await ask(.find(task), seconds: seconds)
        guard case .found(let matches) = answer else { throw .noAnswerInTime }
        return matches
    }

    private func ask(
        _ question: Inquiry,
        seconds: Double?
    ) async throws(FollowError) -> InquiryResult {
        let loop = try await sharedLoop()
        let id = loop.newID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTaken = loop.send { $0.ask(id, question, seconds: seconds, continuation) }
                if !isTaken { continuation.resume(returning: .failed(.closed)) }
                if Task.isCancelled { loop.send { $0.withdraw(id) } }
            }
        } onCancel: {
            loop.send { $0.withdraw(id) }
        }
        if case .failed(let error) = result { throw error }
        return result
    }

    /// The endpoint; throws at once, without connecting, if it is known that no broker listens.
    private func endpointWithBroker() async throws(FollowError) -> BusEndpoint {
        let (endpoint, there) = try await connection()
        if let there {
            guard there.hasBroker else { throw FollowError(.noBroker, there.missing) }
            return endpoint
        }
        guard case .ipc(let directory) = endpoint.kind else { return endpoint }
        do {
            try endpoint.checkDirectory()
            guard case .nothing = ipcListenerState(path: directory + "/control") else {
                return endpoint
            }
        } catch {
            guard error.reason == .missing else { throw FollowError(error) }
        }
        let sentence =
            "no broker listens on \(endpoint); `progressbus watch` starts one, and so do run, begin and report"
        throw FollowError(.noBroker, sentence)
    }
}

extension RemoteAnswer {
    /// What is missing on a machine where no broker listens.
    fileprivate var missing: String {
        hasProgram
            ? "no broker listens in \(directory) on that machine; `progressbus broker --endpoint ipc://\(directory)` starts one there"
            : "there is no broker in \(directory) on that machine, and progressbus is not found there; install it there, or name the directory as in ssh://HOST/directory"
    }
}

extension FollowError {
    init(_ error: EndpointError) {
        self.init(.badEndpoint, error.sentence)
    }

    /// The error, but `timedOut` for `noBroker` on an ipc endpoint, where a broker was seen to
    /// listen.
    fileprivate func knowingThatSomebodyListens(at endpoint: BusEndpoint) -> FollowError {
        guard code == .noBroker, case .ipc = endpoint.kind else { return self }
        return .noAnswerInTime
    }
}
