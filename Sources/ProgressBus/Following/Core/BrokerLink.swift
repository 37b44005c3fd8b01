import BusProtocol
import TaskTree

/// What a follower knows of its broker and of the connection to it.
struct BrokerLink: Sendable {
    /// Where the machine stands with the broker's control socket.
    enum Connection: Sendable {
        /// Hello is to be sent (again) at this time.
        case greeting(due: Moment, isSent: Bool)
        case welcomed(heartbeatDue: Moment)
    }

    var connection: Connection
    /// Hellos that could not be sent since the last welcome.
    var greetingsFailed = 0
    var welcome: WireWelcome?
    var welcomedAt: Moment?
    /// When it last answered what was asked; refusals are no answers.
    var answeredAt: Moment?
    /// The present life of the broker.
    var epoch: UInt64?
    /// Lives that have ended; a late frame of one of them is ignored.
    var formerEpochs: [UInt64] = []
    /// When anything came over the updates socket.
    var lastUpdate: Moment?
    /// The broker's clock at a moment of ours.
    var brokerTime: (seconds: Double, at: Moment)?
    /// Why nothing will ever come.
    var fatal: FollowError?
    /// Why the broker does not welcome us now; it is asked again.
    var helloRefusal: FollowError?
}
