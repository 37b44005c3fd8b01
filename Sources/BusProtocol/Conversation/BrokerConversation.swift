package import TaskTree

/// Decides when a session says hello to its broker, and when it sends heartbeats.
///
/// The same for workers, viewers and bridges: hello until the broker welcomes the session, then a
/// heartbeat whenever nothing was sent for a while. Pure: the owner asks `isDue`, sends hello or a
/// heartbeat over control, and calls `sent` or `notSent`.
package struct BrokerConversation: Sendable {
    package enum Stage: Sendable {
        /// No hello is under way.
        case apart
        /// Hello was sent.
        case greeting
        /// The broker knows the session.
        case welcomed
    }

    package private(set) var stage = Stage.apart
    /// When hello, or after the welcome a heartbeat, is due; `nil` until `greet`.
    package private(set) var due: Moment?
    private var lastHello: Moment?
    /// Seconds until the next attempt if hello cannot be sent.
    private var pause = Self.shortestPause
    /// Seconds without a frame after which a heartbeat is sent.
    private var heartbeat = 1.0

    private static let shortestPause = 0.001
    private static let longestPause = 0.2
    /// Seconds between two hellos, however often the broker asks who this is; it refuses more.
    private static let helloGap = 0.1
    /// Seconds to wait for a welcome before hello is said again.
    private static let patience = 0.5
    /// Seconds until hello is said again to a broker that has refused it.
    private static let busyPause = 3.0
    /// Seconds until a heartbeat that could not be sent is tried again.
    private static let heartbeatPause = 0.1

    /// Makes a conversation in which nothing is due until `greet`.
    package init() {}

    package var isWelcomed: Bool { stage == .welcomed }
    /// Whether hello could not be sent for so long that there is most likely no broker.
    package var isHopeless: Bool { pause >= Self.longestPause }

    package func isDue(at now: Moment) -> Bool { due.map { $0 <= now } ?? false }

    /// Makes hello due.
    package mutating func greet(at now: Moment) {
        stage = .apart
        pause = Self.shortestPause
        due = max(now, lastHello?.advanced(bySeconds: Self.helloGap) ?? now)
    }

    /// The broker asks who this is; a hello under way will be answered by a welcome.
    package mutating func asked(at now: Moment) {
        if stage != .greeting { greet(at: now) }
    }

    /// Says nothing more until `greet`.
    package mutating func stop() {
        stage = .apart
        due = nil
    }

    /// The broker has refused the hello: says it again later.
    package mutating func putOff(at now: Moment) {
        stage = .apart
        due = now.advanced(bySeconds: Self.busyPause)
    }

    package mutating func welcomed(_ welcome: WireWelcome, at now: Moment) {
        stage = .welcomed
        let milliseconds = welcome.heartbeat == 0 ? 1_000 : min(max(welcome.heartbeat, 50), 60_000)
        // A tenth early, so that a heartbeat that is a little late still comes in time.
        heartbeat = Double(milliseconds) * 0.000_9
        due = now.advanced(bySeconds: heartbeat)
    }

    /// The frame to send now, if one is due; counts as sent until `notSent`.
    package mutating func takeFrame(
        hello: WireHello,
        at now: Moment
    ) -> WireClientFrame.OneOf_Body? {
        guard isDue(at: now) else { return nil }
        defer { sent(at: now) }
        return isWelcomed ? .heartbeat(WireHeartbeat()) : .hello(hello)
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
