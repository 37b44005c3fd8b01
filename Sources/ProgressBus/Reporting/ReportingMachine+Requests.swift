import BusProtocol
import TaskTree

/// Requests of viewers that reach processes: cancel, pause, resume.
///
/// A request reaches the named tasks and everything unfinished below them in this process. It is
/// accepted if any of these tasks accepts it, by a handler or because it has said that it is able
/// to; otherwise refused if a handler refused, else unsupported. A handler's refusal holds for the
/// tasks below it too, unless they have handlers of their own.
extension ReportingMachine {
    /// The broker passes on a request.
    mutating func requested(_ delivery: WireCommandDelivery, at now: Moment) {
        if let earlier = requests.answered.first(where: { $0.number == delivery.delivery }) {
            // A repeated delivery is not carried out again: its answer, if there is one, is sent
            // again.
            if let answer = earlier.answer { requests.answers.append(answer) }
            return
        }
        requests.answered.append((delivery.delivery, nil))
        if requests.answered.count > Requests.limit { requests.answered.removeFirst() }

        guard let verb = TaskRequest.allCases.first(where: { $0.wire == delivery.verb }),
            verb != .dismiss
        else { return answer(delivery.delivery, .unsupported, "A worker cannot do that.") }
        guard let plan = plan(verb, delivery.index, number: delivery.delivery) else {
            return answer(delivery.delivery, .gone, "The task has ended.")
        }
        guard requests.deliveries.count < Requests.limit else {
            return answer(delivery.delivery, .refused, "Too many requests at a time.")
        }
        requests.deliveries.insert(plan, at: 0)
    }

    /// The tasks that a request reaches; nil if all of them have ended.
    func plan(_ verb: TaskRequest, _ indices: [UInt64], number: UInt64) -> RequestDelivery? {
        var steps: [RequestDelivery.Step] = []
        var reached: Set<UInt64> = []
        for root in indices {
            for record in tasks.subtree(of: root) where !record.isEnded && !record.isTicket {
                guard reached.insert(record.index).inserted else { continue }
                let isAble =
                    verb == .cancel
                    ? record.options.isCancellable : record.options.isPausable
                steps.append(
                    RequestDelivery.Step(
                        index: record.index,
                        parent: reached.contains(record.parent) ? record.parent : 0,
                        handlers: record.handlers?.handlers[verb] ?? [],
                        isAble: isAble
                    )
                )
            }
        }
        guard !steps.isEmpty else { return nil }
        return RequestDelivery(number: number, epoch: link.epoch, verb: verb, steps: steps)
    }

    /// Carries out a request as far as handlers and tasks accept it, and answers the broker.
    mutating func answered(
        _ delivery: RequestDelivery,
        _ answers: [UInt64: [RequestAnswer]],
        at now: Moment
    ) -> RequestEffects {
        var effects = RequestEffects()
        var accepted: Set<UInt64> = []
        var refused: Set<UInt64> = []
        var sentence = ""
        for step in delivery.steps {
            let given = answers[step.index] ?? []
            let isAccepted: Bool
            if given.isEmpty {
                guard !refused.contains(step.parent) else {
                    refused.insert(step.index)
                    continue
                }
                isAccepted = step.isAble || accepted.contains(step.parent)
            } else {
                isAccepted = given.contains(.accept)
                if !isAccepted { refused.insert(step.index) }
                for case .refuse(let reason) in given where sentence.isEmpty { sentence = reason }
            }
            guard isAccepted else { continue }
            accepted.insert(step.index)
            apply(delivery.verb, to: step.index, into: &effects, at: now)
        }
        if delivery.verb == .cancel, !accepted.isEmpty {
            // Children begun later below these tasks are in vain too: they get the cancel if they
            // can stop.
            for step in delivery.steps where !refused.contains(step.index) {
                tasks[step.index]?.passesCancelOn = true
            }
        }
        guard delivery.number != 0, delivery.epoch == link.epoch else { return effects }
        if !accepted.isEmpty {
            answer(delivery.number, .accepted, "")
        } else if !refused.isEmpty {
            answer(delivery.number, .refused, sentence)
        } else {
            answer(delivery.number, .unsupported, "The task has not said that it can do this.")
        }
        return effects
    }

    private mutating func apply(
        _ verb: TaskRequest,
        to index: UInt64,
        into effects: inout RequestEffects,
        at now: Moment
    ) {
        guard let record = tasks[index], !record.isEnded else { return }
        switch verb {
        case .cancel:
            record.insert(.cancel)
            if let body = record.handlers?.body { effects.cancelled.append(body) }
            if record.holders > 0 { effects.released.append(index) }
        case .pause:
            record.insert(.pause)
            holdWithChildren(index, at: now)
        case .resume:
            record.remove(.pause)
            if record.isHeldByChildren { setPaused(false, index, at: now) }
            if record.holders > 0 { effects.released.append(index) }
        case .dismiss:
            break
        }
    }

    mutating func answer(_ number: UInt64, _ outcome: WireOutcome, _ text: String) {
        guard number != 0 else { return }
        var answer = WireCommandAnswer()
        answer.delivery = number
        answer.outcome = outcome
        answer.text = text.clipped(toBytes: ProtocolLimits.reasonBytes)
        if let position = requests.answered.firstIndex(where: { $0.number == number }) {
            requests.answered[position].answer = answer
        }
        requests.answers.append(answer)
        if requests.answers.count > 2 * Requests.limit { requests.answers.removeFirst() }
    }

    /// A caller begins to wait at the checkpoint of a task; false if it need not wait.
    mutating func hold(_ index: UInt64, at now: Moment) -> Bool {
        guard !isClosed, let record = tasks[index], !record.isEnded,
            record.requested(.pause), !record.requested(.cancel)
        else { return false }
        record.holders += 1
        if record.state == .running { setPaused(true, index, at: now) }
        return true
    }

    /// A caller has left its checkpoint.
    mutating func goOn(_ index: UInt64, at now: Moment) {
        guard let record = tasks[index], record.holders > 0 else { return }
        record.holders -= 1
        if record.holders == 0, !record.isEnded { setPaused(false, index, at: now) }
    }

    /// Registers a handler; returns whether the caller must call it at once for a request in force.
    mutating func handle(
        _ verb: TaskRequest,
        of index: UInt64,
        with handler: @escaping RequestHandlers.Handler,
        at now: Moment
    ) -> Bool {
        guard let record = tasks[index], !record.isEnded else { return false }
        record.handlers = record.handlers ?? RequestHandlers()
        record.handlers?.handlers[verb, default: []].append(handler)
        switch verb {
        case .cancel:
            if record.passesCancelOn { record.insert(.cancel) }
            if !record.options.isCancellable {
                describe(index, at: now) { $0.options.isCancellable = true }
            }
            return record.requested(.cancel)
        case .pause:
            if !record.options.isPausable {
                describe(index, at: now) { $0.options.isPausable = true }
            }
            return record.requested(.pause)
        case .resume, .dismiss:
            return false
        }
    }

    /// Registers how to cancel the Swift task that runs a task's body; returns whether to do so at
    /// once.
    mutating func setBody(_ index: UInt64, _ cancel: @escaping @Sendable () -> Void) -> Bool {
        guard let record = tasks[index], !record.isEnded else { return false }
        record.handlers = record.handlers ?? RequestHandlers()
        record.handlers?.body = cancel
        return record.requested(.cancel)
    }
}
