import BrokerCore
import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// Who may say what, where the broker has keys.
extension BrokerLoop {
    /// The member who has sent a report, and may; `nil` where there are no keys.
    func reporter(of message: ReceivedMessage) throws(ProtocolViolation) -> String? {
        guard let access else { return nil }
        guard let member = access.member(message.key, allowedTo: .report) else {
            throw ProtocolViolation(.notPermitted, "A report of somebody who may not report.")
        }
        return member
    }

    /// Whether a subscription is of somebody who may look.
    func mayRead(_ message: ReceivedMessage) -> Bool {
        guard let access else { return true }
        return access.member(message.key, allowedTo: .read) != nil
    }

    /// A frame with the key that this broker will have next; whoever is refused is not told.
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

    /// Carries out what was asked in this turn, keeps it, then says so.
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

    /// Ends what these keys are shown; what they say is refused anyway.
    private func cutOff(_ keys: Set<BusKey>) {
        for connection in subscriptions.connections(of: keys) { connection.cut() }
    }

    /// Once a minute.
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

    /// Writes who may speak with this broker; why that failed, if it did.
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
    /// The key that its connection was made with, where the handler of keys has named it.
    var key: BusKey? { user.flatMap { BusKey(text: $0) } }
}
