import BusProtocol
import TaskTree

/// Questions about tasks of other hosts, and what these are asked here.
extension FleetMachine {
    /// The broker asks another one.
    mutating func ask(_ question: WireFleetQuestion) {
        guard isConnected else {
            let sentence = "NATS is not reached, so that no other host can be asked."
            return tell(.refusal(sentence, question.request), of: question.broker)
        }
        var record = WireFleetRecord()
        record.broker = broker
        record.question = question
        actions.append(.publish(.question(to: question.broker, from: broker), record))
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
            return say(.refusal("Its broker does not answer.", question.request), to: other)
        }
        guard let body = questions.begin(question, of: other, at: now) else {
            return say(.refusal("Its bridge is asked too much.", question.request), to: other)
        }
        actions.append(.send(reader.frame(body)))
    }

    /// Another broker is told what this one has answered.
    mutating func say(_ answer: WireFleetAnswer, to other: UInt64) {
        var record = WireFleetRecord()
        record.broker = broker
        record.answer = answer
        record.answer.broker = broker
        actions.append(.publish(.answer(to: other, from: broker), record))
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
