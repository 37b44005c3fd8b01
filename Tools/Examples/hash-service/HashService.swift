import Foundation
import Logging
import ProgressBus
import ProgressBusService
import ServiceLifecycle
import UnixSignals

/// A service that reports what it does: it hashes lines for whoever connects to its socket.
///
/// `hash-service SOCKET`: listens at that path. A request is a line with a number and that many
/// lines, a *batch*; the answer is the SHA-256 of each, a line each, as they are done. Each batch is
/// a job on the bus, which viewers can cancel. SIGTERM ends it: whoever has sent a whole batch gets
/// the whole answer, and every ending is acknowledged before the process ends.
@main
struct HashService {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: hash-service SOCKET\n".utf8))
            exit(64)
        }
        let bus = BusClient()
        let group = ServiceGroup(
            // Shut down in the reverse order: the client hears the last endings.
            services: [
                ProgressBusService(bus),
                HashServer(path: CommandLine.arguments[1], bus: bus),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "hash-service")
        )
        do {
            try await group.run()
        } catch {
            FileHandle.standardError.write(Data("hash-service: \(error)\n".utf8))
            exit(1)
        }
    }
}
