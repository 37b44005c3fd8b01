import CProcessControl
package import DashboardCore
import ProcessControl
package import ProgressBus
import ZeroMQ

/// The dashboard, from taking the terminal to giving it back.
package enum DashboardProgram {
    /// Shows the dashboard until it ends, and then prints a receipt where the shell goes on.
    ///
    /// A process runs at most one dashboard at a time. A thread of its own owns the terminal
    /// meanwhile; the terminal is put back on every way out, even after a crash in any part of the
    /// process.
    ///
    /// - Parameters:
    ///   - follower: The follower that delivers the pictures.
    ///   - options: What the person wants of it.
    ///   - handle: What closes it from outside.
    /// - Returns: Why it ended.
    /// - Throws: If there is no terminal to draw on, before anything is drawn, or if the bus cannot
    ///   be followed.
    package static func run(
        follower: BusFollower,
        options: DashboardOptions,
        handle: DashboardHandle
    ) async throws(DashboardError) -> DashboardLeaving {
        let result: Result<DashboardLeaving, DashboardError>
        result = await withCheckedContinuation { continuation in
            do throws(ZeroMQError) {
                _ = try startThread(name: "dashboard", stackSize: 8 << 20) {
                    do throws(DashboardError) {
                        let leaving = try show(follower, options, handle)
                        continuation.resume(returning: .success(leaving))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            } catch {
                continuation.resume(returning: .failure(DashboardError(error)))
            }
        }
        return try result.get()
    }

    private static func show(
        _ follower: BusFollower,
        _ options: DashboardOptions,
        _ handle: DashboardHandle
    ) throws(DashboardError) -> DashboardLeaving {
        let bridge: DashboardBridge
        do {
            bridge = try DashboardBridge(follower: follower)
        } catch {
            throw DashboardError(error)
        }
        // The signals are taken over before ncurses can handle them.
        let signals: SignalPipe
        do {
            signals = try SignalPipe(
                DashboardLoop.notedSignals,
                ending: DashboardLoop.endingSignals
            )
        } catch {
            throw .unusable("there is no room for another pipe; close some programs")
        }
        terminal_guard_use_spare_stack()
        terminal_guard_watch_crashes()
        defer {
            signals.stop()
            terminal_guard_stop_watching_crashes()
        }
        let terminal = try Terminal(options)
        var options = options
        options.theme = options.theme.reduced(toColors: terminal.colors)
        var loop = DashboardLoop(
            terminal: terminal,
            options: options,
            bridge: bridge,
            signals: signals
        )
        handle.attach(bridge)
        bridge.begin()
        defer { bridge.end() }
        return try loop.run()
    }
}
