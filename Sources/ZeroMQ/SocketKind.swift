import CZeroMQ

/// The kind of a socket, of those that the bus uses.
package struct SocketKind: Sendable, Hashable {
    let rawValue: Int32

    /// Publishes, and receives the subscriptions of its peers as messages.
    package static let xpub = SocketKind(rawValue: ZMQ_XPUB)
    /// Subscribes by sending subscription messages.
    package static let xsub = SocketKind(rawValue: ZMQ_XSUB)
    /// Subscribes by `subscribe(_:)` and receives.
    package static let sub = SocketKind(rawValue: ZMQ_SUB)
    /// Sends to and receives from whoever it is connected to.
    package static let dealer = SocketKind(rawValue: ZMQ_DEALER)
    /// Addresses its peers by a routing id, the first part of every message.
    package static let router = SocketKind(rawValue: ZMQ_ROUTER)
    /// Answers questions, one after the other.
    package static let reply = SocketKind(rawValue: ZMQ_REP)
    /// Hears of the connections of another socket in the same process.
    package static let pair = SocketKind(rawValue: ZMQ_PAIR)
}
