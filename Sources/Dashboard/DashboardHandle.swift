import Synchronization
import TaskTree

/// Closes a dashboard from outside; from any thread, also before it has begun.
package final class DashboardHandle: Sendable {
    private struct State {
        var bridge: DashboardBridge?
        var closing: DashboardBridge.Closing?
    }

    private let state = Mutex(State())

    package init() {}

    /// Ends the dashboard; the work goes on.
    package func close() { close(.now) }

    /// Ends the dashboard after a moment, and not before ten seconds without a key press.
    package func closeWhenUnused() { close(.whenUnused) }

    private func close(_ closing: DashboardBridge.Closing) {
        let bridge = state.withLock { state in
            state.closing = closing
            return state.bridge
        }
        bridge?.close(closing)
    }

    func attach(_ bridge: DashboardBridge) {
        let closing = state.withLock { state in
            state.bridge = bridge
            return state.closing
        }
        if let closing { bridge.close(closing) }
    }
}

/// When a dashboard closes by its handle: soon, but not while the person presses keys.
struct ClosingTime {
    /// How long the end of the work is shown, in seconds.
    private static let moment = 1.5
    /// How long the dashboard stays after the last key, in seconds.
    private static let quiet = 10.0

    private var earliest: Moment?
    private var lastAct: Moment?

    mutating func begin(at now: Moment) {
        earliest = earliest ?? now.advanced(bySeconds: Self.moment)
    }

    mutating func personActed(at now: Moment) { lastAct = now }

    /// When the dashboard closes; `nil` until the handle asks for that.
    var due: Moment? {
        guard let earliest else { return nil }
        return lastAct.map { max(earliest, $0.advanced(bySeconds: Self.quiet)) } ?? earliest
    }
}
