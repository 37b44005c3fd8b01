import BusProtocol
import TaskTree

/// Questions about tasks of other brokers: the bridge passes them on, and brings the answers.
extension BrokerMachine {
    /// Seconds that a broker has to answer; for a command they come on top of its own timeout.
    static let elsewherePatience = 1.5
    /// Seconds until the broker has followers ask again, from the answer to a question about a
    /// topic, or from the last time that it had them ask.
    private static let elsewhereRest = 1.0
    /// The bytes of rows or lines that are asked for at most: a client's frame has to hold the
    /// answer.
    private static var elsewhereBytes: UInt32 { UInt32(ProtocolLimits.clientFrameBytes * 3 / 4) }

    /// Whether a task is this broker's, whatever others say.
    func isOwn(_ id: TaskID) -> Bool {
        sessions[id.session].map { $0.way.broker == nil } ?? false || detached.owns(id)
            || tree.knows(id)
    }

    /// Passes a question on to the broker that has the task, or tells the asker why not; false:
    /// this broker has to answer.
    ///
    /// A question that the bridge brings from another broker goes further only where a part of a
    /// job here is asked for what is below it.
    mutating func passOn(
        _ body: WireClientFrame.OneOf_Body,
        about task: TaskID?,
        of id: SessionID,
        to route: Route,
        now: Moment
    ) -> Bool {
        guard let task, let broker = broker(asked: body, about: task),
            // Only the broker of a part has what is below the part.
            id != board.fleet.bridge || isOwn(task),
            var message = WireFleetQuestion(body, to: broker)
        else { return false }
        let request = message.request
        var content = FleetQuestions.Content.find
        var patience = Self.elsewherePatience
        switch message.question {
        case .snapshot(let request):
            guard let topic = Topic(name: request.topic) else { return false }
            // Where the host is not heard, this broker shows the job, whose row says so, without
            // messages.
            if topic.isWhole, board.fleet.has(task), !board.fleet.isHeard(broker) { return false }
            let most = request.maxBytes == 0 ? .max : request.maxBytes
            message.snapshot.maxBytes = min(most, Self.elsewhereBytes)
            let sequence = publication.topics[topic]?.sequence ?? publishedSequence
            content = .snapshot(topic, sequence: sequence)
        case .command(let command):
            let timeout = command.timeout == 0 ? configuration.commandTimeout : Int(command.timeout)
            message.command.timeout = UInt32(clamping: timeout)
            content = .command
            patience += Double(timeout) / 1_000
        case .find, .detached, nil: break
        }
        let question = FleetQuestions.Question(
            message: message,
            request: request,
            route: route,
            asker: sessions.owner(of: id),
            content: content
        )
        ask(question, patience: patience, now: now)
        return true
    }

    /// Asks another broker, or all; false where that is not possible, which the asker is told.
    @discardableResult
    mutating func ask(_ question: FleetQuestions.Question, patience: Double, now: Moment) -> Bool {
        let message = question.message
        guard message.isForAll ? board.fleet.isAnyHeard : board.fleet.isHeard(message.broker) else {
            giveUp(question, "no word comes from it", wasAsked: false)
            return false
        }
        guard board.fleet.questions.room.mayTake(question.asker, of: configuration.fleetQuestions)
        else {
            giveUp(question, "too many questions wait for other hosts already", wasAsked: false)
            return false
        }
        let number = board.fleet.questions.begin(question)
        let end = now.advanced(bySeconds: patience)
        clock.timers.add(.question(number), at: end)
        // Followers do not ask again before the question is answered or given up.
        noteAsked(question, now: end)
        sendQuestion(number)
        return true
    }

    /// Gives the bridge a question, for the first time or again.
    mutating func sendQuestion(_ number: UInt64) {
        guard let question = board.fleet.questions[number], let bridge = bridgeRoute else { return }
        send(.fleetQuestion(question.message), to: bridge)
    }

    /// The broker of the fleet that has a task.
    private func brokerElsewhere(of task: TaskID) -> UInt64? {
        guard !isOwn(task) else { return nil }
        return sessions[task.session]?.way.broker ?? board.fleet.broker(of: task)
    }

    /// The other broker that has what a topic shows; below a part, the broker of the part.
    func brokerElsewhere(of topic: Topic) -> UInt64? {
        switch topic {
        case .children(let id, _): brokerElsewhere(below: id)
        // A viewer that waits for a job of this broker does not wait for another broker.
        case .job(let id): board.jobs[id] == nil ? brokerElsewhere(below: id) : nil
        case .states(let id, _), .log(let id): brokerElsewhere(of: id)
        case .totals, .attention, .board, .hosts, .probe: nil
        }
    }

    private func brokerElsewhere(below task: TaskID) -> UInt64? {
        tree.reporter(of: task).flatMap { sessions[$0.session] }.map(\.way.broker)
            ?? brokerElsewhere(of: task)
    }

    private func broker(asked body: WireClientFrame.OneOf_Body, about task: TaskID) -> UInt64? {
        if case .snapshot(let request) = body, let topic = Topic(name: request.topic) {
            return brokerElsewhere(of: topic)
        }
        return brokerElsewhere(of: task)
    }

    /// The host of a task that is another broker's.
    func hostElsewhere(of task: TaskID) -> String? {
        brokerElsewhere(of: task).map { board.fleet.host(ofBroker: $0) }
    }

    var bridgeRoute: Route? { board.fleet.bridge.flatMap { sessions[$0]?.route } }

    private mutating func noteAsked(_ question: FleetQuestions.Question, now: Moment) {
        guard case .snapshot(let topic, _) = question.content else { return }
        publication.topics[topic]?.lastAsked = now
    }

    /// Another broker has answered, or the bridge in its place.
    mutating func apply(_ said: WireFleetAnswer, of id: SessionID, now: Moment) {
        guard board.fleet.bridge == id else {
            return refuse(.notPermitted, "The bridge alone brings what other hosts answer.", of: id)
        }
        // The answer may be too late, or come from a broker that was not asked.
        guard let question = board.fleet.questions[said.request],
            question.message.isForAll || question.message.broker == said.broker
        else { return }
        if case .owner(let name) = question.content {
            // Other brokers may answer too: the question ends with its time.
            guard board.fleet.has(broker: said.broker), !said.found.tasks.isEmpty else { return }
            return board.parts.set(owner: said.broker, ofName: name)
        }
        if case .detached(let request, let task) = question.content {
            return apply(said, to: said.request, request, about: task, now: now)
        }
        guard let body = answer(said, to: question, now: now) else { return }
        if said.isLast { endQuestion(said.request) }
        noteAsked(question, now: now)
        send(body, to: question.route)
    }

    /// The answer as the asker gets it; `nil` for one that does not fit the question.
    private mutating func answer(
        _ said: WireFleetAnswer,
        to question: FleetQuestions.Question,
        now: Moment
    ) -> WireBrokerFrame.OneOf_Body? {
        var said = said
        said.request = question.request
        switch (said.answer, question.content) {
        case (.refusal, _), (.commandResult, .command): break
        case (.found(let found), .find):
            for task in found.tasks.flatMap({ [$0.task] + $0.path }) {
                learn(task, of: said.broker)
            }
        case (.snapshot(let chunk), .snapshot(let topic, let sequence)):
            guard chunk.topic == topic.name else { return nil }
            (said.snapshot.sequence, said.snapshot.time) = (sequence, unix(now))
            said.snapshot.rows = chunk.rows.filter {
                learn($0.task, of: said.broker) || isPart($0.task, of: said.broker)
            }
            for row in said.snapshot.rows.indices {
                said.snapshot.rows[row].sequence = sequence
                moveIntoJob(&said.snapshot.rows[row])
            }
        default: return nil
        }
        return said.body
    }

    /// Puts the row of a task below a part into the job here: at the part's own broker the part is
    /// the job.
    private func moveIntoJob(_ row: inout WireRow) {
        guard row.hasDescription_p, let part = row.description_p.job.taskID(),
            let job = tree.job(of: part), job != part, let depth = tree.depth(of: part)
        else { return }
        row.description_p.job = WireTaskRef(job)
        let most = UInt32(ProtocolLimits.depth)
        row.description_p.depth = min(row.description_p.depth &+ UInt32(clamping: depth), most)
    }

    /// Notes that a broker has a task's session, so that questions go there; false where that
    /// cannot be.
    ///
    /// The session may be this broker's or a third one's, or there is no room. `asOwner` says that
    /// the broker calls the task its own, and has not only named it.
    @discardableResult
    mutating func learn(_ task: WireTaskRef, of broker: UInt64, asOwner: Bool = false) -> Bool {
        guard let id = task.taskID(), !isOwn(id) else { return false }
        let limit = configuration.fleetSessions
        return board.fleet.learn(id.session, of: broker, asOwner: asOwner, limit: limit)
    }

    /// Whether another broker shows a task of this broker as a part of its job.
    private func isPart(_ task: WireTaskRef, of broker: UInt64) -> Bool {
        guard let id = task.taskID(), let part = board.parts[id] else { return false }
        return part.isTaken && part.owner == broker
    }

    mutating func endQuestion(_ number: UInt64) {
        board.fleet.questions.end(number)
        clock.timers.remove(.question(number))
    }

    /// No answer has come in time.
    mutating func giveUpQuestion(_ number: UInt64) {
        guard let question = board.fleet.questions[number] else { return }
        endQuestion(number)
        noteAsked(question, now: clock.lastTick)
        giveUp(question, "it has not answered in time", wasAsked: true)
    }

    /// Gives up all questions, as the bridge that they were given to is gone.
    mutating func giveUpQuestions() {
        for number in board.fleet.questions.numbers { giveUpQuestion(number) }
    }

    private mutating func giveUp(
        _ question: FleetQuestions.Question,
        _ why: String,
        wasAsked: Bool
    ) {
        let host = board.fleet.host(ofBroker: question.message.broker)
        let sentence = "It is a task of \(host), and \(why); ask again later, or there."
        switch question.content {
        case .command:
            result(.noAnswer, sentence, request: question.request, to: question.route)
        case .owner: break
        case .detached(let request, let task):
            if question.message.isForAll {
                turnAway(request, Self.nobodyHas(task))
            } else if wasAsked {
                // The other broker may have carried the request out: the client gets no answer now,
                // and asks again.
                say(.later, of: request)
            } else {
                turnAway(request, sentence)
            }
        case .snapshot(.job(let part), let sequence) where isOwn(part):
            // The part is shown with its job: a viewer of the job must not wait for what is below
            // the part.
            var chunk = WireSnapshotChunk()
            chunk.request = question.request
            chunk.topic = Topic.job(part).name
            (chunk.sequence, chunk.time) = (sequence, unix(clock.lastTick))
            (chunk.unheard, chunk.last) = (true, true)
            send(.snapshot(chunk), to: question.route)
        case .find, .snapshot:
            send(refusal(.busy, sentence, request: question.request), to: question.route)
        }
    }

    /// Whether nothing is heard of the broker that has a topic's task.
    func isUnheard(_ topic: Topic) -> Bool {
        guard board.fleet.brokerCount > 0 else { return false }
        return brokerElsewhere(of: topic).map { board.fleet.isSilent($0) } ?? false
    }

    /// Has followers of another broker's topic ask again, by a new sequence in their next beat;
    /// returns whether it has.
    ///
    /// The other broker does not say what changes in a topic that is followed here.
    mutating func renewElsewhere(_ topic: Topic, now: Moment) -> Bool {
        guard board.fleet.brokerCount > 0, let broker = brokerElsewhere(of: topic),
            board.fleet.isHeard(broker)
        else { return false }
        let asked = publication.topics[topic]?.lastAsked
        guard asked.map({ now.seconds(since: $0) >= Self.elsewhereRest }) ?? true else {
            return false
        }
        // Above what this step may have published on the topic, and below what the next one may
        // publish.
        let sequence = publishedSequence + 1
        publication.topics[topic]?.sequence = sequence
        publication.topics[topic]?.lastAsked = now
        return true
    }
}

extension Topic {
    /// Whether a viewer asks for the topic with the job itself, and not with what it unfolds there.
    fileprivate var isWhole: Bool {
        switch self {
        case .job, .log: true
        case .children, .states, .totals, .attention, .board, .hosts, .probe: false
        }
    }

    /// The task that the topic is about, if it is about one.
    var task: TaskID? {
        switch self {
        case .job(let id), .children(let id, _), .states(let id, _), .log(let id): id
        case .totals, .attention, .board, .hosts, .probe: nil
        }
    }
}
