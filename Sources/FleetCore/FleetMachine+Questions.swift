import BusProtocol
import TaskTree

/// Questions to other brokers, questions of other brokers, and the envelopes of sessions.
extension FleetMachine {
    /// Publishes a question of this broker to another broker, or to all.
    mutating func ask(_ question: WireFleetQuestion) {
        guard isConnected else {
            guard !question.isForAll else { return }
            let sentence = "NATS is not reached, so that no other host can be asked."
            return tell(.refusal(sentence, question.request), of: question.broker)
        }
        var record = WireFleetRecord()
        record.broker = broker
        record.question = question
        actions.append(.publish(.message(.question, to: question.broker, from: broker), record))
    }

    /// Tells this broker what another broker has answered.
    mutating func tell(_ answer: WireFleetAnswer, of other: UInt64) {
        var answer = answer
        answer.broker = other
        let ahead = others.secondsAhead(other)
        if case .snapshot? = answer.answer, ahead != 0 {
            answer.snapshot.rows = answer.snapshot.rows.map { $0.shifted(by: -ahead) }
            for line in answer.snapshot.logs.indices {
                answer.snapshot.logs[line].time = max(answer.snapshot.logs[line].time - ahead, 0)
            }
        }
        actions.append(.send(reader.frame(.fleetAnswer(answer))))
    }

    /// Asks this broker the question of another one.
    mutating func hear(_ question: WireFleetQuestion, of other: UInt64, at now: Moment) {
        guard reader.isWelcome else {
            return refuse(question, "Its broker does not answer.", of: other)
        }
        guard let body = questions.begin(question, of: other, at: now) else {
            return refuse(question, "Its bridge is asked too much.", of: other)
        }
        actions.append(.send(reader.frame(body)))
    }

    /// Refuses a question; where all brokers were asked, only one that knows the task answers.
    private mutating func refuse(
        _ question: WireFleetQuestion,
        _ sentence: String,
        of other: UInt64
    ) {
        guard !question.isForAll else { return }
        say(.refusal(sentence, question.request), to: other)
    }

    /// Publishes an envelope of this broker: a frame of one of its sessions to another broker, or
    /// its answer to a session of that broker.
    mutating func passOn(_ said: WireFleetSession) {
        guard isConnected else { return }
        var record = WireFleetRecord()
        record.broker = broker
        record.session = said
        record.session.broker = broker
        actions.append(.publish(.message(.session, to: said.broker, from: broker), record))
    }

    /// Gives this broker an envelope of another one: a frame of a session there, or the answer to a
    /// session here.
    mutating func bring(_ said: WireFleetSession, of other: UInt64) {
        guard reader.isWelcome else { return }
        var said = said
        said.broker = other
        actions.append(.send(reader.frame(.fleetSession(said))))
    }

    /// Publishes to another broker what this one has answered.
    mutating func say(_ answer: WireFleetAnswer, to other: UInt64) {
        guard isConnected else { return }
        var record = WireFleetRecord()
        record.broker = broker
        record.answer = answer
        record.answer.broker = broker
        actions.append(.publish(.message(.answer, to: other, from: broker), record))
    }
}

extension WireFleetAnswer {
    fileprivate static func refusal(_ sentence: String, _ request: UInt64) -> WireFleetAnswer {
        var answer = WireFleetAnswer()
        answer.refusal.code = RefusalCode.busy.rawValue
        answer.refusal.sentence = sentence
        answer.refusal.request = request
        return answer
    }
}
