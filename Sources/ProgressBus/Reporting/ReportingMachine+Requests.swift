import BusProtocol
import TaskTree

/// Requests of viewers that reach processes: cancel, pause, resume.
///
/// A request reaches the named tasks and everything unfinished below them in this process. It is
/// accepted if anything that it reaches accepts it, by a handler or by having said that it is able;
/// else refused if a handler refused; else unsupported. What a handler refuses is refused for the
/// tasks below it too, unless they have handlers of their own.
extension ReportingMachine {
    /// The broker passes on a request.
    mutating func requested(_ delivery: WireCommandDelivery, at now: Moment) {
        if let earlier = requests.answered.first(where: { $0.number == delivery.delivery }) {
            // Delivered once; an answer that got lost is repeated.
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

    /// The handlers have answered: what they accepted is now asked of their tasks.
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
            // What begins below these is in vain too, and may be able to stop.
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

    /// A caller has come to a checkpoint of a task that is to hold; false if it need not any more.
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

    /// Registers a handler; what was asked before is delivered to it at once by the caller.
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

    /// The Swift task that runs a task's body; returns whether it is to be cancelled at once.
    mutating func setBody(_ index: UInt64, _ cancel: @escaping @Sendable () -> Void) -> Bool {
        guard let record = tasks[index], !record.isEnded else { return false }
        record.handlers = record.handlers ?? RequestHandlers()
        record.handlers?.body = cancel
        return record.requested(.cancel)
    }
}
