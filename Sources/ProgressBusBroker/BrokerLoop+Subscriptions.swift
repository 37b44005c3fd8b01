import BrokerCore
import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// Takes in what viewers subscribe to.
extension BrokerLoop {
    /// Seconds between two lines about viewers that were cut off.
    private static let cutLogEvery = 10.0

    /// Takes in one portion of subscriptions; returns whether there may be more.
    ///
    /// It receives the whole portion before the machine hears of any: a connection with too many is
    /// cut before libzmq takes many more from it.
    mutating func takeSubscriptions() throws(ZeroMQError) -> Bool {
        let now = Clocks.now
        let sender: SenderFacts = access == nil ? .connection : [.connection, .user]
        var changes: [(topic: [UInt8], subscribed: Bool)] = []
        var isMore = true
        for _ in 0..<Self.subscriptionsPerTurn {
            guard let message = try updates.receive(withSender: sender) else {
                isMore = false
                break
            }
            let (parts, connection) = (message.parts, message.connection)
            // An XPUB receives 1 or 0 and the topic; a peer that is no SUB may send anything.
            guard let kind = parts[0].first, kind <= 1, parts.count == 1 else {
                try refuse("Only subscriptions may be sent to the updates socket.", now: now)
                continue
            }
            let (topic, subscribed) = (Array(parts[0].dropFirst()), kind == 1)
            let verdict = subscriptions.changed(
                topic,
                subscribed: subscribed,
                by: connection,
                key: message.key,
                now: now
            )
            // libzmq has the subscription already: nothing ends it but the end of the connection.
            if subscribed, let connection, !mayRead(message) {
                connection.cut()
                try refuse("Only who may look at tasks may subscribe.", now: now)
            }
            if case .isTooMuch(let connection) = verdict {
                connection.cut()
                sayCut(connection, now: now)
                try refuse("The connection has subscribed to too much and was cut off.", now: now)
            }
            if verdict != .isNothing { changes.append((topic, subscribed)) }
        }
        for (topic, subscribed) in changes {
            try perform(
                machine.subscriptionChanged(topic: topic, subscribed: subscribed, now: now)
            )
        }
        return isMore
    }

    private mutating func refuse(_ sentence: String, now: Moment) throws(ZeroMQError) {
        try perform(machine.refuse(ProtocolViolation(.malformed, sentence), from: nil, now: now))
    }

    private mutating func sayCut(_ connection: PeerConnection, now: Moment) {
        if let last = logged.cutAt, now.seconds(since: last) < Self.cutLogEvery { return }
        logged.cutAt = now
        logger.warning(
            """
            a viewer was cut off: it had subscribed to more than one connection may, or all to more \
            than the broker takes (--limit subscriptions-per-connection=NUMBER)
            """,
            metadata: ["peer": "\(connection.address)"]
        )
    }
}
