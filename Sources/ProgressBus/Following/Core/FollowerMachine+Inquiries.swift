import BusProtocol
import TaskTree

/// Questions and their answers.
extension FollowerMachine {
    /// Questions without an answer; more are refused.
    private static let inquiryLimit = 1_000
    private static let answerLimit = 20_000

    /// Asks; the answer is an action with the same id.
    mutating func ask(_ id: UInt64, _ question: Inquiry, deadline: Moment?) {
        guard inquiries.count < Self.inquiryLimit else {
            let sentence = "1,000 questions wait for an answer; ask again when some have one"
            actions.append(.answer(id, .failed(FollowError(.timedOut, sentence))))
            return
        }
        lastRequest += 1
        inquiries[lastRequest] = PendingInquiry(id: id, question: question, deadline: deadline)
    }

    /// Drops a question whose asker has gone.
    mutating func withdraw(_ id: UInt64) {
        for (request, inquiry) in inquiries where inquiry.id == id { inquiries[request] = nil }
    }

    mutating func sendInquiries(at now: Moment) {
        for (request, inquiry) in inquiries {
            // A question without a deadline waits for a broker, but not for one without room.
            if let error = link.fatal ?? (inquiry.deadline == nil ? link.helloRefusal : nil) {
                inquiries[request] = nil
                actions.append(.answer(inquiry.id, .failed(error)))
            } else if let deadline = inquiry.deadline, deadline <= now {
                inquiries[request] = nil
                actions.append(.answer(inquiry.id, overdue(inquiry)))
            } else if !inquiry.isSent, link.conversation.isWelcomed {
                inquiries[request]?.isSent = true
                actions.append(.send(frame(inquiry.question.body(request: request))))
            }
        }
    }

    private func overdue(_ inquiry: PendingInquiry) -> InquiryResult {
        guard !inquiry.answers.isEmpty else { return .failed(silence) }
        return .answered(inquiry.answersWithSilence("said nothing in time"))
    }

    /// Ends the commands sent to a broker that has ended; other questions go to the next broker.
    ///
    /// Nobody knows what became of such a command. A command keeps the answers that have come, and
    /// fails if there are none.
    mutating func abandonCommands() {
        for (request, inquiry) in inquiries where inquiry.isSent {
            guard case .command = inquiry.question else {
                inquiries[request]?.isSent = false
                continue
            }
            inquiries[request] = nil
            let result: InquiryResult =
                inquiry.answers.isEmpty
                ? .failed(.brokerEnded)
                : .answered(inquiry.answersWithSilence("had not answered when the broker ended"))
            actions.append(.answer(inquiry.id, result))
        }
    }

    /// Why there is no answer: the broker refuses the follower, there is no broker, or it is
    /// silent.
    var silence: FollowError {
        if let refusal = link.fatal ?? link.helloRefusal { return refusal }
        let isReached = link.epoch != nil || link.conversation.stage == .greeting
        return isReached ? .noAnswerInTime : .noAnswerAtAll
    }

    mutating func receive(_ found: WireFound) {
        guard let inquiry = inquiries.removeValue(forKey: found.request) else { return }
        let matches = found.tasks.compactMap { task -> TaskMatch? in
            guard let id = task.task.taskID() else { return nil }
            return TaskMatch(
                task: id,
                job: task.job.taskID() ?? id,
                title: task.title,
                key: task.key,
                slot: task.hasSlot ? Int(task.slot) : nil,
                path: task.path.compactMap { $0.taskID() },
                places: task.place.map { Int($0) }
            )
        }
        guard case .search = inquiry.question else {
            return actions.append(.answer(inquiry.id, .found(matches)))
        }
        guard found.hasSearched else {
            return actions.append(.answer(inquiry.id, .failed(.cannotSearch)))
        }
        let hits = SearchHits(
            next: matches,
            count: Int(clamping: found.searched.hits),
            looked: Int(clamping: found.searched.looked),
            reached: found.searched.hasReached ? found.searched.reached.taskID() : nil
        )
        actions.append(.answer(inquiry.id, .hits(hits)))
    }

    mutating func receive(_ result: WireCommandResult) {
        guard let count = inquiries[result.request]?.answers.count else { return }
        // In place: with many sessions, a copy for each answer would be slow.
        inquiries[result.request]?.asked = Int(clamping: result.asked)
        if count < Self.answerLimit, result.isAnAnswer {
            inquiries[result.request]?.answers.append(SessionAnswer(result))
        }
        guard result.last, let inquiry = inquiries.removeValue(forKey: result.request) else {
            return
        }
        actions.append(.answer(inquiry.id, .answered(inquiry.answers)))
    }
}

extension PendingInquiry {
    /// The answers, and one more that stands for all sessions that have not answered.
    fileprivate func answersWithSilence(_ words: String) -> [SessionAnswer] {
        let missing = asked - answers.count
        guard missing > 0 else { return answers }
        let silence = SessionAnswer(
            outcome: .noAnswer,
            text: "\(missing) more of \(asked) sessions \(words)."
        )
        return answers + [silence]
    }
}

extension Inquiry {
    fileprivate func body(request: UInt64) -> WireClientFrame.OneOf_Body {
        switch self {
        case .find(let task):
            var find = WireFind()
            find.request = request
            find.text = task.description
            return .find(find)
        case .search(let search):
            var find = WireFind()
            find.request = request
            find.search = search.wire
            return .find(find)
        case .command(let verb, let task, let timeout):
            var command = WireCommandRequest()
            command.request = request
            command.verb = verb.wire
            command.target = WireTaskRef(task)
            command.timeout = UInt32(
                min(max(timeout.inSeconds * 1_000, 1), Double(ProtocolLimits.maxCommandTimeout))
            )
            return .command(command)
        }
    }
}

extension WireCommandResult {
    /// Whether the frame has an answer, and not only the end of the answers.
    fileprivate var isAnAnswer: Bool { outcome != .unknown || !text.isEmpty }
}

extension FollowError {
    static let noAnswerAtAll = FollowError(
        .noBroker,
        "no broker answers; start one with `progressbus broker` where the bus is, or wait longer"
    )
    static let brokerEnded = FollowError(
        .timedOut,
        "the broker ended before it answered; look at the task, then try again"
    )
    static let noAnswerInTime = FollowError(
        .timedOut,
        "the broker does not answer in time; try again, `progressbus doctor` may know more"
    )
    static let cannotSearch = FollowError(
        .refused,
        "this broker is too old to search what is folded; restart it with a newer one"
    )
}
