package import TaskTree

/// Decides when a session says hello to its broker, and when it sends heartbeats.
///
/// The same for workers, viewers and bridges: hello until the broker welcomes the session, then a
/// heartbeat whenever nothing was sent for a while. Pure: the owner asks `isDue`, sends hello or a
/// heartbeat over control, and says whether the socket took it.
package struct BrokerConversation: Sendable {
    package enum Stage: Sendable {
        /// The broker was not greeted on this connection, or has refused the hello for now.
        case apart
        /// Hello was sent.
        case greeting
        /// The broker knows the session.
        case welcomed
    }

    package private(set) var stage = Stage.apart
    /// When hello, or in a conversation the next heartbeat, is due; `nil` until `begin`.
    package private(set) var due: Moment?
    private var lastHello: Moment?
    /// Seconds until the next attempt if hello cannot be sent.
    private var pause = Self.shortestPause
    /// Seconds without a frame after which a heartbeat is sent.
    private var heartbeat = 1.0

    private static let shortestPause = 0.001
    private static let longestPause = 0.05
    /// Seconds between two hellos, however often the broker asks who this is.
    private static let helloGap = 0.05
    /// Seconds to wait for a welcome before hello is said again.
    private static let patience = 1.0
    /// Seconds until hello is said again to a broker that has no room.
    private static let busyPause = 3.0
    /// Seconds until a heartbeat that could not be sent is tried again.
    private static let heartbeatPause = 0.1

    /// Makes a conversation that begins when `begin` is called.
    package init() {}

    package var isWelcomed: Bool { stage == .welcomed }
    /// Whether hello could not be sent for so long that there is most likely no broker.
    package var isHopeless: Bool { !isWelcomed && pause >= Self.longestPause }

    package func isDue(at now: Moment) -> Bool { due.map { $0 <= now } ?? false }

    /// Says hello, be it again.
    package mutating func begin(at now: Moment) {
        stage = .apart
        pause = Self.shortestPause
        due = max(now, lastHello?.advanced(bySeconds: Self.helloGap) ?? now)
    }

    /// Says nothing more until `begin`.
    package mutating func end() {
        stage = .apart
        due = nil
    }

    /// The broker has no room for the session: says hello again later.
    package mutating func putOff(at now: Moment) {
        stage = .apart
        due = now.advanced(bySeconds: Self.busyPause)
    }

    package mutating func welcomed(_ welcome: WireWelcome, at now: Moment) {
        stage = .welcomed
        if welcome.heartbeat > 0 {
            // A tenth early, so that a heartbeat that is a little late still comes in time.
            heartbeat = Double(min(max(welcome.heartbeat, 50), 60_000)) * 0.000_9
        }
        due = now.advanced(bySeconds: heartbeat)
    }

    /// The socket took a frame: hello before the welcome, any frame after it.
    package mutating func sent(at now: Moment) {
        guard !isWelcomed else { return due = now.advanced(bySeconds: heartbeat) }
        stage = .greeting
        lastHello = now
        due = now.advanced(bySeconds: Self.patience)
    }

    /// The socket did not take hello or the heartbeat.
    package mutating func notSent(at now: Moment) {
        guard !isWelcomed else { return due = now.advanced(bySeconds: Self.heartbeatPause) }
        stage = .apart
        due = now.advanced(bySeconds: pause)
        pause = min(2 * pause, Self.longestPause)
    }
}
