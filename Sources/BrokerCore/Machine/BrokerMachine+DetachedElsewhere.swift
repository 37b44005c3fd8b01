import BusProtocol
import TaskTree

/// Requests about detached tasks that another broker has, or that are to be begun below its tasks.
///
/// That broker carries each request out once, like those of its own machine. Nothing changes here
/// until it has answered, and the client repeats its request until then.
extension BrokerMachine {
    /// Seconds that all brokers have to say that a task is theirs.
    private static let ownerPatience = 0.5
    /// Seconds from the start of this broker, or of its bridge, until it is known who is in the
    /// fleet.
    private static let fleetIsNewFor = 5.0

    /// Passes a request on to the broker that has its task, or asks all brokers which one has it.
    ///
    /// - Returns: False where this broker has to decide.
    mutating func passOn(_ request: DetachedElsewhere, by way: Admissions.Way, now: Moment) -> Bool
    {
        // Requests of members stay here, as only this broker knows what a member may do. Requests
        // that another broker has passed on go no further.
        guard isInFleet, way.member == nil, request.route != bridgeRoute,
            let task = taskElsewhere(in: request.content)
        else { return false }
        if let number = board.fleet.questions.number(of: request.id) {
            // A request has an id, so that a repetition counts once; the question to all brokers is
            // not repeated.
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

    /// The task that a request names, or below which it begins one; `nil` where this broker
    /// decides.
    private func taskElsewhere(in request: WireDetachedRequest) -> TaskID? {
        let task: TaskID?
        if case .begin(let begin)? = request.operation {
            let found = begin.parent.isEmpty ? [] : find(begin.parent)
            // Several tasks match: this broker refuses the request itself.
            guard found.count < 2 else { return nil }
            task = found.first ?? namedTask(begin.parent)
        } else {
            task = request.operation?.task?.taskID()
        }
        return task.flatMap { isOwn($0) ? nil : $0 }
    }

    /// The question that passes a request on to the broker that has the task.
    private func question(
        _ request: DetachedElsewhere,
        about task: TaskID,
        to broker: UInt64
    ) -> WireFleetQuestion {
        var question = WireFleetQuestion()
        question.broker = broker
        question.detached = request.content
        // At that broker the slot or the key may be another task's.
        if case .begin(let begin)? = request.content.operation, namedTask(begin.parent) == nil {
            question.detached.begin.parent = "id:\(task)"
        }
        return question
    }

    /// Takes what another broker, or the bridge in its place, answers to question `number`.
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

    /// The sentence about a task that all brokers were asked for and none has.
    static func nobodyHas(_ task: TaskID) -> String {
        "No host says that it has task \(task): it has left, or its host is not heard or has not "
            + "answered in time."
    }

    /// A request could not be passed on: leaves its spool file for later, or tells the client why.
    mutating func turnAway(_ request: DetachedElsewhere, _ sentence: String) {
        say(.later, of: request)
        // While the fleet is new nothing is refused: the client asks again by itself.
        guard !isFleetNew else { return }
        var answer = answer(request.id, task: nil)
        answer.code = RefusalCode.busy.rawValue
        answer.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
        send(.detached(answer), to: request.route)
    }

    private var isFleetNew: Bool {
        let (now, fleet) = (clock.lastTick, board.fleet)
        // Where the bridge has gone, the time counts from its last word: another bridge is on its
        // way.
        let former = fleet.bridge == nil ? fleet.lastHeard : fleet.begun
        return now.seconds(since: max(clock.began, fleet.begun, former)) < Self.fleetIsNewFor
    }

    /// Says what is to become of the spool file that a request has come from, if it came from one.
    mutating func say(_ decision: SpoolDecision, of request: DetachedElsewhere) {
        guard let file = request.file else { return }
        outbox.actions.append(.spooled(file: file, decision))
    }
}
