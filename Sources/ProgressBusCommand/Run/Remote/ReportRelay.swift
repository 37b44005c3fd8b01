import BusProtocol
import ProgressBus
import ZeroMQ

/// A way for reports of other machines to a broker with keys: sockets without any, which only this
/// user can reach, and a thread that passes on what comes there with the keys of this member.
///
/// So no key leaves this machine. Its files go with it, or with the next tunnel of this user.
final class ReportRelay: Sendable {
    /// What is forwarded to the other machine.
    var endpoint: BusEndpoint { directory.endpoint }
    private let directory: TunnelDirectory
    private let end: WakeUp
    private let thread: ThreadHandle

    /// `nil` for a bus without keys, whose own sockets can be forwarded.
    ///
    /// - Throws: Where its directory or sockets cannot be made.
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

    /// Ends it and removes its files.
    func close() {
        end.signal()
        thread.join()
        directory.remove()
    }
}
