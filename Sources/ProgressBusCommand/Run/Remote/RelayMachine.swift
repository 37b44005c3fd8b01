import BusProtocol
import ProgressBus
import TaskTree

/// Decides what of another machine's frames goes on to a broker with keys, and which peers there
/// have a connection to it; knows no socket.
///
/// Only what a reporter says goes on, whatever this member may do besides. What is not understood
/// does not: what goes on is encoded anew.
struct RelayMachine: Sendable {
    /// What a ROUTER calls a peer.
    typealias Route = [UInt8]

    enum Action: Equatable, Sendable {
        /// Connect to the broker for this peer.
        case open(Route)
        /// To the broker, by the connection of this peer.
        case pass(WireClientFrame, from: Route)
        /// To the peer.
        case answer(WireBrokerFrame, to: Route)
        /// Close the connection of this peer.
        case close(Route)
    }

    /// Peers with a connection at a time: each costs six descriptors, of the usual 1,024.
    static let limit = 128
    /// Seconds without a word after which a peer is given up: longer than any heartbeat may take.
    private static let silence = 90.0
    /// After which it is where another one needs its place: a few heartbeats as brokers ask for them.
    private static let rest = 4.0
    /// Seconds until a broker that does not let this key in is asked again.
    private static let pause = 5.0

    /// When each peer was last heard.
    private var peers: [Route: Moment] = [:]
    /// Why the broker is not asked, and until when.
    private var refused: (sentence: String, until: Moment)?
    /// Of the broker's last frame.
    private var epoch: UInt64 = 1

    init() {}

    /// A frame of a peer.
    mutating func take(_ bytes: [UInt8], from route: Route, at now: Moment) -> [Action] {
        do throws(ProtocolViolation) {
            let frame = try Frame.decodeClient(bytes)
            // Of a newer minor version: this relay does not know which role may say it, and drops it.
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

    /// What is to be done so that a peer has a connection.
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

    /// A frame of the broker for a peer.
    mutating func take(_ frame: WireBrokerFrame, for route: Route, at now: Moment) -> [Action] {
        epoch = frame.epoch
        switch frame.body {
        case .refusal(let refusal) where refusal.isOfMember:
            return notLetIn(refusal.sentence, for: route, at: now)
        // The last word of a session, and the only one to a script.
        case .goodbyeAccepted, .detached: return [.answer(frame, to: route), forget(route)]
        default: return [.answer(frame, to: route)]
        }
    }

    /// The broker does not let this key in, or not any more, as a connection has found.
    mutating func notLetIn(_ sentence: String, for route: Route, at now: Moment) -> [Action] {
        refused = (sentence, now.advanced(bySeconds: Self.pause))
        return [refuse(WireRefusal(.notPermitted, sentence), route), forget(route)]
    }

    /// Nothing can be sent to this peer any more.
    mutating func gone(_ route: Route) -> [Action] { peers[route] == nil ? [] : [forget(route)] }

    /// Who has not been heard for long is given up.
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
    /// Whether a reporter says it for its work; not what is about keys, which every member may ask.
    fileprivate var isOfReporter: Bool {
        if case .access = self { return false }
        return right.map(Role.reporter.allows) ?? true
    }
}
