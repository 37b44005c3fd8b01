import Synchronization

/// Closes a dashboard from outside; from any thread, also before it has begun.
package final class DashboardHandle: Sendable {
    private struct State {
        var inbox: DashboardInbox?
        var closing: DashboardInbox.Closing?
    }

    private let state = Mutex(State())

    package init() {}

    /// Ends the dashboard; the work goes on.
    package func close() { close(.now) }

    /// Ends the dashboard after a moment, and not before ten seconds without a key press.
    package func closeWhenUnused() { close(.whenUnused) }

    private func close(_ closing: DashboardInbox.Closing) {
        let inbox = state.withLock { state in
            state.closing = closing
            return state.inbox
        }
        inbox?.close(closing)
    }

    func attach(_ inbox: DashboardInbox) {
        let closing = state.withLock { state in
            state.inbox = inbox
            return state.closing
        }
        if let closing { inbox.close(closing) }
    }
}
