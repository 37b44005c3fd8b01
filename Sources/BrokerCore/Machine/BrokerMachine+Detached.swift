import BusProtocol
import TaskTree
import TimeLeft

/// Requests about detached tasks: carried out once, journalled, answered; see PROTOCOL.md 8.15.
///
/// A client repeats its request until it is answered, so whatever cannot be decided now is left
/// unanswered, and nothing needs to be kept for it.
extension BrokerMachine {
    /// What a request amounts to.
    enum DetachedOutcome {
        case done(TaskID)
        case refused(RefusalCode, String)
        /// It cannot be decided now; the client asks again by itself.
        case undecided
        /// Another broker of the fleet was asked, whose answer is passed on.
        case elsewhere
    }

    /// Carries a request out once, and sees to its answer.
    ///
    /// `file` is the number of the spool file that the request came from, if any.
    @discardableResult
    mutating func apply(
        _ request: WireDetachedRequest,
        from route: Route,
        by way: Admissions.Way = Admissions.Way(),
        file: UInt64? = nil,
        now: Moment
    ) -> DetachedOutcome {
        guard let operation = request.operation,
            let id = DetachedRequestID(request.requestIDBytes)
        else { return .undecided }
        detached.lastRequest = now
        if let record = detached.requests[id] {
            guard record.waiting == nil else {
                if route != .nobody { detached.requests.wait(id, at: route) }
                return .undecided
            }
            send(.detached(answer(id, task: record.task)), to: route)
            return .done(record.task)
        }
        let elsewhere = DetachedElsewhere(id: id, content: request, route: route, file: file)
        if passOn(elsewhere, by: way, now: now) { return .elsewhere }
        // A request that the journal cannot keep is not carried out: its repetition would count
        // again.
        guard !outbox.isJournalFull else {
            var answer = self.answer(id, task: operation.task?.taskID())
            answer.code = RefusalCode.busy.rawValue
            answer.sentence =
                "The broker's disk takes nothing, and no more waits for it; make room."
            send(.detached(answer), to: route)
            return .undecided
        }
        settleForDecision(now: now)
        let outcome =
            strangersOutcome(way.member, operation) ?? carryOut(operation, id, by: way, now: now)
        switch outcome {
        case .done(let task):
            note(id, about: task, route: route, now: now)
            // Endings are published early, as those that sessions state.
            if case .end = operation { stepEarly(now: now) }
        case .refused(let code, let sentence):
            sessions.refused += 1
            publication.totalsChanged = true
            var answer = self.answer(id, task: operation.task?.taskID())
            answer.code = code.rawValue
            answer.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
            send(.detached(answer), to: route)
        case .undecided, .elsewhere: break
        }
        return outcome
    }

    /// Refuses a request about a task that another member has begun; `nil` for any other request.
    private func strangersOutcome(
        _ member: String?,
        _ operation: WireDetachedRequest.OneOf_Operation
    ) -> DetachedOutcome? {
        guard let id = operation.task?.taskID(), let owner = detached.tasks[id]?.owner,
            owner != member
        else { return nil }
        return .refused(
            .notPermitted,
            "Task \(id) is another member's, who alone says how far it is."
        )
    }

    private mutating func carryOut(
        _ operation: WireDetachedRequest.OneOf_Operation,
        _ id: DetachedRequestID,
        by way: Admissions.Way,
        now: Moment
    ) -> DetachedOutcome {
        switch operation {
        case .begin(let begin): self.begin(begin, id, by: way, now: now)
        case .update(let update): apply(update, now: now)
        case .advance(let advance): apply(advance, now: now)
        case .end(let end): apply(end, now: now)
        }
    }

    /// Remembers that a request was carried out; its answer waits for the journal.
    private mutating func note(
        _ id: DetachedRequestID,
        about task: TaskID,
        route: Route,
        now: Moment
    ) {
        let time = Int64(clamping: unix(now))
        let number = detached.requests.add(id, time: time, task: task, waiting: route)
        outbox.entries.append(
            .detachedRequest(id: id.bytes, number: number, time: time, task: task)
        )
        outbox.afterJournal.detachedAnswers.append(id)
        if detached.requests.count > configuration.detachedRequests {
            // Forgets 1 % of them at a time, so that not every further request costs a deletion.
            let kept = configuration.detachedRequests - configuration.detachedRequests / 100
            forgetRequests(before: 0, limit: max(1, kept))
        }
    }

    /// Forgets requests that were carried out longer ago than clients repeat a request.
    mutating func forgetOldRequests(now: Moment) {
        forgetRequests(
            before: Int64(clamping: unix(now) - configuration.detachedRequestKept),
            limit: .max
        )
    }

    private mutating func forgetRequests(before time: Int64, limit: Int) {
        if let last = detached.requests.prune(before: time, limit: limit) {
            outbox.entries.append(.detachedRequestsForgotten(through: last))
        }
    }

    /// Answers these requests, which are on disk or cannot be written there.
    mutating func answerDetached(_ ids: [DetachedRequestID]) {
        for id in ids {
            guard let (route, task) = detached.requests.finish(id) else { continue }
            send(.detached(answer(id, task: task)), to: route)
        }
    }

    func answer(_ id: DetachedRequestID, task: TaskID?) -> WireDetachedAnswer {
        var answer = WireDetachedAnswer()
        answer.requestIDBytes = id.bytes
        if let task { answer.task = WireTaskRef(task) }
        if outbox.isJournalFailing {
            answer.sentence =
                "The broker's disk takes nothing: should the broker end before there is room, this "
                + "is lost. `progressbus doctor` says more."
        }
        return answer
    }
}

extension WireDetachedRequest.OneOf_Operation {
    /// The task that the request names; a begin names none.
    var task: WireTaskRef? {
        switch self {
        case .begin: nil
        case .update(let update): update.task
        case .advance(let advance): advance.task
        case .end(let end): end.task
        }
    }
}

extension Int64 {
    /// The whole seconds of a time, held within the range.
    fileprivate init(clamping seconds: Double) {
        self = Int64(Swift.min(Swift.max(seconds.rounded(.down), -1e15), 1e15))
    }
}

/// Detached tasks on disk: each has a row, like a task whose session is gone, but the broker
/// rewrites the whole row with every change.
extension BrokerMachine {
    /// Writes all that is known of a task into the journal: no process repeats it to the next
    /// broker.
    mutating func rememberDetached(_ id: TaskID, now: Moment) {
        guard let statement = tree.statement(of: id), var row = lastRow(of: id, reason: "") else {
            return
        }
        if let record = records[id] {
            row.clock = clock(of: record.observation, at: now)
            if record.observation.completed != statement.amounts.completed
                || record.lastDetail != statement.detail
            {
                row.clock.sinceAdvance = 0
            }
        }
        row.time = unix(now)
        row.owner = detached.tasks[id]?.owner ?? ""
        if statement.state.isFinal { note(end: row.time, of: id) }
        remember(row, of: id, version: statement.version)
    }

    /// Restores a detached task; the clock of one that runs has gone on while there was no broker.
    mutating func restoreDetached(_ row: WireEnding, of id: TaskID, now: Moment) {
        detached.lastIndex = max(detached.lastIndex, id.index)
        let written = min(now, moment(unix: row.time))
        let way = Admissions.Way(member: row.owner.isEmpty ? nil : row.owner)
        detached.add(id, DetachedTask(lastHeard: written, owner: way.member, share: way.owner))
        if row.statedState.isFinal {
            knownTasks.facts[id, default: StatedFacts()].end = row.time
            knownTasks.facts[id, default: StatedFacts()].clock = row.clock
        } else {
            let since = UInt64(max(0, now.seconds(since: written)) * 1_000)
            knownTasks.facts[id, default: StatedFacts()].clock = row.clock.later(by: since)
            watchSilence(of: id)
        }
    }
}

extension WireClock {
    /// The clock of a task that has run for so many milliseconds more, without a pause.
    fileprivate func later(by milliseconds: UInt64) -> WireClock {
        var clock = self
        clock.elapsed = min(elapsed, ProtocolLimits.maxMilliseconds) + milliseconds
        clock.active = min(active, ProtocolLimits.maxMilliseconds) + milliseconds
        clock.sinceAdvance = min(sinceAdvance, ProtocolLimits.maxMilliseconds) + milliseconds
        return clock
    }
}
