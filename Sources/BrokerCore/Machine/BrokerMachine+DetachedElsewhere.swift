import BusProtocol
import TaskTree

/// Requests about detached tasks that another broker has, or that are to be begun below its tasks.
///
/// That broker carries them out, once, like those of its own machine. Until it has answered nothing is
/// changed here, and who has asked repeats the request.
extension BrokerMachine {
    /// Seconds that all brokers have to say that a task is theirs.
    private static let ownerPatience = 0.5
    /// Seconds from the start of this broker, or of its bridge, until it is known who is in the fleet.
    private static let fleetIsNewFor = 5.0

    /// Passes a request on to the broker that has its task, or asks all brokers which one has it.
    ///
    /// - Returns: Whether it is not for this broker to decide.
    mutating func passOn(_ request: DetachedElsewhere, by way: Admissions.Way, now: Moment) -> Bool
    {
        // What a member may do is known here alone; what another broker has passed on goes no further.
        guard isInFleet, way.member == nil, request.route != bridgeRoute,
            let task = taskElsewhere(in: request.content)
        else { return false }
        if let number = board.fleet.questions.number(of: request.id) {
            // What is passed on has an id, and counts once; all brokers are asked once.
            if board.fleet.questions[number]?.message.isForAll == false { sendQuestion(number) }
            say(.later, of: request)
            return true
        }
        let owner = board.fleet.owner(of: task)
        let question = FleetQuestions.Question(
            message: owner.map { self.question(request, about: task, to: $0) }
                ?? WireFleetQuestion(toAll: Self.ownerPrefix + "\(task)"),
            request: 0,
            route: request.route,
            asker: way.owner,
            content: .detached(request, about: task)
        )
        let patience = owner == nil ? Self.ownerPatience : Self.elsewherePatience
        ask(question, patience: patience, now: now)
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

    /// The question in which the broker that has the task is given a request.
    private func question(
        _ request: DetachedElsewhere,
        about task: TaskID,
        to broker: UInt64
    ) -> WireFleetQuestion {
        var question = WireFleetQuestion()
        question.broker = broker
        question.detached = request.content
        // A slot or a key may be that of another task there.
        if case .begin(let begin)? = request.content.operation, namedTask(begin.parent) == nil {
            question.detached.begin.parent = "id:\(task)"
        }
        return question
    }

    /// Another broker answers question `number`, or its bridge does: it has the task, or has decided.
    mutating func apply(
        _ said: WireFleetAnswer,
        to number: UInt64,
        _ request: DetachedElsewhere,
        about task: TaskID,
        now: Moment
    ) {
        let isOwnerSought = board.fleet.questions[number]?.message.isForAll == true
        switch said.answer {
        case .found(let found) where isOwnerSought && !found.tasks.isEmpty:
            guard learn(WireTaskRef(task), of: said.broker, asOwner: true) else { return }
            let message = question(request, about: task, to: said.broker)
            board.fleet.questions.change(number, to: message)
            let due = now.advanced(bySeconds: Self.elsewherePatience)
            clock.timers.add(.question(number), at: due)
            sendQuestion(number)
        case .detached(let answer) where !isOwnerSought:
            guard answer.requestIDBytes == request.id.bytes else { return }
            endQuestion(number)
            if answer.code == 0 { learn(answer.task, of: said.broker, asOwner: true) }
            send(.detached(answer), to: request.route)
            say(answer.code == RefusalCode.busy.rawValue ? .later : .taken, of: request)
        case .refusal where !isOwnerSought:
            endQuestion(number)
            say(.later, of: request)
        default: break
        }
    }

    /// What is said where all brokers were asked for a task.
    static func nobodyHas(_ task: TaskID) -> String {
        "No host says that it has task \(task): it has left, or its host is not heard or has not "
            + "answered in time."
    }

    /// A request is not passed on this time, as the fleet is not heard.
    mutating func turnAway(_ request: DetachedElsewhere, _ sentence: String) {
        say(.later, of: request)
        // Who asks again meanwhile is told later.
        guard !isFleetNew else { return }
        var answer = answer(request.id, task: nil)
        answer.code = RefusalCode.busy.rawValue
        answer.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
        send(.detached(answer), to: request.route)
    }

    private var isFleetNew: Bool {
        let (now, fleet) = (clock.lastTick, board.fleet)
        // Where the bridge has gone another one is on its way.
        let former = fleet.bridge == nil ? fleet.lastHeard : fleet.begun
        return now.seconds(since: max(clock.began, fleet.begun, former)) < Self.fleetIsNewFor
    }

    /// What is to become of the file that a request has come from.
    mutating func say(_ decision: SpoolDecision, of request: DetachedElsewhere) {
        guard let file = request.file else { return }
        outbox.actions.append(.spooled(file: file, decision))
    }
}
