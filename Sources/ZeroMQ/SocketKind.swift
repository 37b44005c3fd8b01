import CZeroMQ

/// What a socket speaks; the kinds that the bus uses.
package enum SocketKind: Sendable {
    /// Publishes, and receives the subscriptions of its peers as messages.
    case xpub
    /// Subscribes by sending subscription messages.
    case xsub
    /// Subscribes by `subscribe(_:)` and receives.
    case sub
    /// Sends to and receives from whoever it is connected to.
    case dealer
    /// Addresses its peers by a routing id, the first part of every message.
    case router
    /// Answers questions, one after the other.
    case reply
    /// Hears what another socket of the same process tells of its connections.
    case pair

    var rawValue: Int32 {
        switch self {
        case .xpub: ZMQ_XPUB
        case .xsub: ZMQ_XSUB
        case .sub: ZMQ_SUB
        case .dealer: ZMQ_DEALER
        case .router: ZMQ_ROUTER
        case .reply: ZMQ_REP
        case .pair: ZMQ_PAIR
        }
    }
}
