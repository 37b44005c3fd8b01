import BusProtocol
import ProgressBus
import TaskTree

/// Decides which frames of another machine go to a broker with keys, and which peers are connected.
///
/// It knows no socket. It passes on only what a reporter may send, whatever this member may do
/// besides. It encodes each frame anew, so that nothing unknown goes on.
struct RelayMachine: Sendable {
    /// What a ROUTER calls a peer.
    typealias Route = [UInt8]

    enum Action: Equatable, Sendable {
        /// Connect to the broker for this peer.
        case open(Route)
        /// Send the frame to the broker, through the connection of this peer.
        case pass(WireClientFrame, from: Route)
        /// Send the frame to the peer.
        case answer(WireBrokerFrame, to: Route)
        /// Close the connection of this peer.
        case close(Route)
    }

    /// The most peers with a connection: each costs six descriptors of the usual 1,024.
    static let limit = 128
    /// Seconds of silence after which a peer is given up, longer than any heartbeat may take.
    private static let silence = 90.0
    /// Seconds of silence after which a peer loses its place to another one: a few heartbeats.
    private static let rest = 4.0
    /// Seconds until a broker that has refused this key is asked again.
    private static let pause = 5.0

    /// When each peer was last heard.
    private var peers: [Route: Moment] = [:]
    /// Why the broker is not asked, and until when.
    private var refused: (sentence: String, until: Moment)?
    /// The epoch of the broker's last frame.
    private var epoch: UInt64 = 1

    init() {}

    /// Handles a frame of a peer.
    mutating func take(_ bytes: [UInt8], from route: Route, at now: Moment) -> [Action] {
        do throws(ProtocolViolation) {
            let frame = try Frame.decodeClient(bytes)
            // The body is of a newer minor version, whose role this relay does not know: it is
            // dropped.
            guard let body = frame.body else { return [] }
            guard body.isOfReporter else {
                throw ProtocolViolation(.notPermitted, Self.onlyReports, request: body.request ?? 0)
            }
            return try admit(route, at: now) + [.pass(frame, from: route)]
        } catch {
            return [refuse(WireRefusal(error.code, error.sentence, request: error.request), route)]
        }
    }

    private static let onlyReports = """
        What runs through `progressbus ssh` may only report to a bus with keys: look at tasks, and \
        ask something of them, on the machine where it was started.
        """

    /// Returns the actions that give a peer a connection.
    private mutating func admit(
        _ route: Route,
        at now: Moment
    ) throws(ProtocolViolation) -> [Action] {
        if peers.updateValue(now, forKey: route) != nil { return [] }
        peers[route] = nil
        if let refused, now < refused.until {
            throw ProtocolViolation(.notPermitted, refused.sentence)
        }
        refused = nil
        var actions: [Action] = []
        if peers.count >= Self.limit {
            guard let oldest = peers.min(by: { $0.value < $1.value }),
                now.seconds(since: oldest.value) >= Self.rest
            else {
                throw ProtocolViolation(
                    .busy,
                    "\(Self.limit) processes report through this `progressbus ssh` already: wait "
                        + "until one has ended."
                )
            }
            actions.append(forget(oldest.key))
        }
        peers[route] = now
        return actions + [.open(route)]
    }

    /// Handles a frame of the broker for a peer.
    mutating func take(_ frame: WireBrokerFrame, for route: Route, at now: Moment) -> [Action] {
        epoch = frame.epoch
        switch frame.body {
        case .refusal(let refusal) where refusal.isOfMember:
            return notLetIn(refusal.sentence, for: route, at: now)
        // The last frame of a session, and the only one that answers a detached request.
        case .goodbyeAccepted, .detached: return [.answer(frame, to: route), forget(route)]
        default: return [.answer(frame, to: route)]
        }
    }

    /// Refuses a peer, because the broker does not let this key in, or not any more.
    mutating func notLetIn(_ sentence: String, for route: Route, at now: Moment) -> [Action] {
        refused = (sentence, now.advanced(bySeconds: Self.pause))
        return [refuse(WireRefusal(.notPermitted, sentence), route), forget(route)]
    }

    /// Closes the connection of a peer to which nothing can be sent any more.
    mutating func gone(_ route: Route) -> [Action] { peers[route] == nil ? [] : [forget(route)] }

    /// Gives up the peers that have been silent for long.
    mutating func lookAtTime(_ now: Moment) -> [Action] {
        let silent = peers.filter { now.seconds(since: $0.value) >= Self.silence }
        return silent.keys.map { forget($0) }
    }

    private mutating func forget(_ route: Route) -> Action {
        peers[route] = nil
        return .close(route)
    }

    private func refuse(_ refusal: WireRefusal, _ route: Route) -> Action {
        var frame = WireBrokerFrame()
        frame.epoch = epoch
        frame.refusal = refusal
        return .answer(frame, to: route)
    }
}

extension WireClientFrame.OneOf_Body {
    /// Whether a reporter sends this for its work; false for requests about keys, although every
    /// member may send them.
    fileprivate var isOfReporter: Bool {
        if case .access = self { return false }
        return right.map(Role.reporter.allows) ?? true
    }
}
