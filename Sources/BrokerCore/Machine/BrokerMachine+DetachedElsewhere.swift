import BusProtocol
import TaskTree

/// Requests about detached tasks that another broker has, or that are to be begun below its tasks.
///
/// That broker carries them out, once, like those of its own machine. Until it has answered nothing is
/// changed here, and who has asked repeats the request.
extension BrokerMachine {
    /// Seconds that all brokers have to say that a task is theirs.
    private static let ownerPatience = 0.5

    /// Passes a request on to the broker that has its task, or asks all brokers which one has it.
    ///
    /// - Returns: Whether it is others that decide.
    mutating func passOn(_ request: DetachedElsewhere, by way: Admissions.Way, now: Moment) -> Bool
    {
        // What a member may do is known here alone; what another broker has passed on goes no further.
        guard isInFleet, way.member == nil, request.route != bridgeRoute,
            let task = taskElsewhere(in: request.content)
        else { return false }
        if let number = board.fleet.questions.number(of: request.id) {
            ask(number)
            return true
        }
        let broker = brokerElsewhere(of: task)
        let question = FleetQuestions.Question(
            request: 0,
            route: request.route,
            asker: way.owner,
            broker: broker ?? FleetQuestions.allBrokers,
            content: .detached(request, about: task)
        )
        let patience = broker == nil ? Self.ownerPatience : Self.elsewherePatience
        if let number = begin(question, patience: patience, now: now) { ask(number) }
        return true
    }

    /// The task that a request names, or below which it begins one, where this broker does not have it.
    private func taskElsewhere(in request: WireDetachedRequest) -> TaskID? {
        let task: TaskID?
        if case .begin(let begin)? = request.operation {
            let found = begin.parent.isEmpty ? [] : find(begin.parent)
            // Where there are several, this broker says so.
            guard found.count < 2 else { return nil }
            task = found.first ?? namedTask(begin.parent)
        } else {
            task = request.operation?.task?.taskID()
        }
        return task.flatMap { isOwn($0) ? nil : $0 }
    }

    /// Says the question to the bridge, for the first time or again.
    private mutating func ask(_ number: UInt64) {
        guard let question = board.fleet.questions[number], let bridge = bridgeRoute,
            case .detached(let request, let task) = question.content
        else { return }
        var message = WireFleetQuestion()
        message.broker = question.broker
        if question.broker == FleetQuestions.allBrokers {
            message.find.text = Self.ownerPrefix + "\(task)"
        } else {
            message.detached = request.content
            // A slot or a key may be that of another task there.
            if case .begin? = request.content.operation {
                message.detached.begin.parent = "id:\(task)"
            }
        }
        message.request = number
        send(.fleetQuestion(message), to: bridge)
    }

    /// Another broker answers question `number`, or its bridge does: it has the task, or has decided.
    mutating func apply(
        _ said: WireFleetAnswer,
        to number: UInt64,
        _ request: DetachedElsewhere,
        about task: TaskID,
        now: Moment
    ) {
        let isOwnerSought = board.fleet.questions[number]?.broker == FleetQuestions.allBrokers
        switch said.answer {
        case .found(let found) where isOwnerSought && !found.tasks.isEmpty:
            guard board.fleet.has(broker: said.broker), isOf(said.broker, WireTaskRef(task)) else {
                return
            }
            board.fleet.questions.set(broker: said.broker, of: number)
            let due = now.advanced(bySeconds: Self.elsewherePatience)
            clock.timers.add(.question(number), at: due)
            ask(number)
        case .detached(let answer) where !isOwnerSought:
            guard answer.requestIDBytes == request.id.bytes else { return }
            endQuestion(number)
            if answer.code == 0 { _ = isOf(said.broker, answer.task) }
            self.answer(request, answer)
        case .refusal(let refusal) where !isOwnerSought:
            endQuestion(number)
            answerBusy(request, "Task \(task): \(refusal.sentence)")
        default: break
        }
    }

    /// No broker has said in time that it has the task, or the one that has it has not answered.
    mutating func giveUp(
        _ request: DetachedElsewhere,
        about task: TaskID,
        _ sentence: String,
        isOwnerSought: Bool
    ) {
        guard isOwnerSought else { return answerBusy(request, sentence) }
        guard board.fleet.areAllHeard else {
            let sentence =
                "None of the hosts that are heard has task \(task), and another may have it; "
                + "`progressbus status` says which ones are not heard."
            return answerBusy(request, sentence)
        }
        let outcome = apply(
            request.content,
            from: request.route,
            file: request.file,
            mayBeElsewhere: false,
            now: clock.lastTick
        )
        if let file = request.file { settle(outcome, file: file) }
    }

    private mutating func answerBusy(_ request: DetachedElsewhere, _ sentence: String) {
        var answer = self.answer(request.id, task: nil)
        answer.code = RefusalCode.busy.rawValue
        answer.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
        self.answer(request, answer)
    }

    private mutating func answer(_ request: DetachedElsewhere, _ answer: WireDetachedAnswer) {
        send(.detached(answer), to: request.route)
        guard let file = request.file else { return }
        let isDecided = answer.code != RefusalCode.busy.rawValue
        outbox.actions.append(.spooled(file: file, isDecided ? .taken : .later))
    }
}
