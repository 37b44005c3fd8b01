import BusProtocol
import TaskTree

/// Questions about tasks of other hosts, and what these are asked here.
extension FleetMachine {
    /// The broker asks another one, or all.
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

    /// The broker is told what another one has answered.
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

    /// Another broker asks this one.
    mutating func hear(_ question: WireFleetQuestion, of other: UInt64, at now: Moment) {
        guard reader.isWelcome else {
            return refuse(question, "Its broker does not answer.", of: other)
        }
        guard let body = questions.begin(question, of: other, at: now) else {
            return refuse(question, "Its bridge is asked too much.", of: other)
        }
        actions.append(.send(reader.frame(body)))
    }

    /// Of all that are asked only the one that knows answers.
    private mutating func refuse(
        _ question: WireFleetQuestion,
        _ sentence: String,
        of other: UInt64
    ) {
        guard !question.isForAll else { return }
        say(.refusal(sentence, question.request), to: other)
    }

    /// A session of this broker is heard by another one, or is answered by it.
    mutating func passOn(_ said: WireFleetSession) {
        guard isConnected else { return }
        var record = WireFleetRecord()
        record.broker = broker
        record.session = said
        record.session.broker = broker
        actions.append(.publish(.message(.session, to: said.broker, from: broker), record))
    }

    /// This broker hears a session of another one, or has one of its own answered.
    mutating func bring(_ said: WireFleetSession, of other: UInt64) {
        guard reader.isWelcome else { return }
        var said = said
        said.broker = other
        actions.append(.send(reader.frame(.fleetSession(said))))
    }

    /// Another broker is told what this one has answered.
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
