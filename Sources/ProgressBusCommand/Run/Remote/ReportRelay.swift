import BusProtocol
import ProgressBus
import ZeroMQ

/// Relays reports from other machines to a broker with keys, so that no key leaves this machine.
///
/// It binds sockets without keys that only this user can reach. Its thread passes on what comes
/// there, with this member's keys. Its files are removed with it, or by the next tunnel of this
/// user.
final class ReportRelay: Sendable {
    /// The endpoint that ssh forwards to the other machine.
    var endpoint: BusEndpoint { directory.endpoint }
    private let directory: TunnelDirectory
    private let end: WakeUp
    private let thread: ThreadHandle

    /// Starts a relay; `nil` for a bus without keys, whose own sockets can be forwarded.
    ///
    /// - Throws: A failure if the relay's directory or sockets cannot be made.
    init?(to bus: BusEndpoint) throws(CommandFailure) {
        guard bus.membership != nil else { return nil }
        do {
            directory = try .make()
        } catch {
            throw CommandFailure(.cannotCreate, error.description)
        }
        do {
            let end = try WakeUp()
            let loop = try RelayLoop(at: directory.endpoint, for: bus)
            thread = try startThread(name: "progressbus-relay") {
                // Without a context or descriptors the relay cannot run.
                try? loop.run(until: end)
            }
            self.end = end
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
    }

    /// Ends the relay and removes its files.
    func close() {
        end.signal()
        thread.join()
        directory.remove()
    }
}
