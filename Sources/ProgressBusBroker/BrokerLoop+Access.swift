import BrokerCore
import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// Who may say what, where the broker has keys.
extension BrokerLoop {
    /// The member that has sent a report; `nil` without keys, throws if it may not report.
    func reporter(of message: ReceivedMessage) throws(ProtocolViolation) -> String? {
        guard let access else { return nil }
        guard let member = access.member(message.key, allowedTo: .report) else {
            throw ProtocolViolation(.notPermitted, "A report of somebody who may not report.")
        }
        return member
    }

    /// Whether the sender of a subscription may read tasks.
    func mayRead(_ message: ReceivedMessage) -> Bool {
        guard let access else { return true }
        return access.member(message.key, allowedTo: .read) != nil
    }

    /// Adds the broker's next key to a frame, except to one that refuses something.
    func sayingNextKey(_ frame: WireBrokerFrame) -> WireBrokerFrame {
        switch frame.body {
        case .refusal: return frame
        case .access(let answer) where answer.code != 0: return frame
        default: break
        }
        guard let next = access?.nextKey else { return frame }
        var frame = frame
        frame.nextPublicKey = next
        return frame
    }

    /// Carries out the access requests of this turn, writes the file once, then answers.
    mutating func answerAccessRequests() throws(ZeroMQError) {
        guard let access, !accessRequests.isEmpty else { return }
        let requests = accessRequests
        accessRequests = []
        let nextKey = access.nextKey
        var outcomes = requests.map { access.apply($0.request, of: $0.key) }
        if outcomes.contains(where: \.isChanged), let trouble = keepAccess() {
            for index in outcomes.indices where outcomes[index].isChanged {
                outcomes[index].answer.sentence =
                    "This holds until the broker ends: it cannot be kept (\(trouble))."
            }
        }
        for (request, outcome) in zip(requests, outcomes) {
            if let word = outcome.word { logger.notice("access", metadata: ["what": "\(word)"]) }
            if let revoked = outcome.revoked {
                let routes = machine.revoked(revoked.name, now: Clocks.now)
                for route in routes { answers.forget(route) }
                cutOff(revoked.keys)
            }
            try perform(machine.answer(outcome.answer, to: request.route, now: Clocks.now))
        }
        guard access.nextKey != nextKey else { return }
        let news = machine.news
        try perform(news.routes.map { .send($0, news.frame) })
    }

    /// Cuts the connections on which these keys receive updates; their frames are refused anyway.
    private func cutOff(_ keys: Set<BusKey>) {
        for connection in subscriptions.connections(of: keys) { connection.cut() }
    }

    /// Forgets invitations and keys that have expired, once a minute.
    mutating func forgetExpired(now: Moment) {
        guard let access, logged.accessAt.map({ now.seconds(since: $0) >= 60 }) ?? true else {
            return
        }
        logged.accessAt = now
        let keys = access.prune()
        guard !keys.isEmpty else { return }
        cutOff(keys)
        _ = keepAccess()
    }

    /// Writes the file of members; returns why that failed, if it did.
    private func keepAccess() -> String? {
        do {
            try access?.save()
            return nil
        } catch {
            logger.error(
                "who may speak with this broker cannot be kept",
                metadata: ["why": "\(error)"]
            )
            return "\(error)"
        }
    }
}

extension ReceivedMessage {
    /// The key of the connection, if ``KeyHandler`` has named it.
    var key: BusKey? { user.flatMap { BusKey(text: $0) } }
}
