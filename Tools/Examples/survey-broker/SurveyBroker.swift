import Foundation
import Logging
import ProgressBus
import ProgressBusBroker
import ProgressBusService
import ServiceLifecycle
import UnixSignals

/// A program that has work of its own and is the broker of its bus at the same time.
///
/// `survey-broker DIRECTORY`: measures what is in the directory, over and over, a job each time, and
/// prints a line for each. Other processes report to the broker in it as to any other. SIGTERM
/// ends it: the survey first, then its client, and the broker when it has heard of both.
@main
struct SurveyBroker {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: survey-broker DIRECTORY\n".utf8))
            exit(64)
        }
        let bus = BusClient()
        let logger = Logger(label: "survey-broker") { StreamLogHandler.standardError(label: $0) }
        let group = ServiceGroup(
            // Shut down in the reverse order.
            services: [
                BusBroker(configuration: BrokerConfiguration(linger: 60), logger: logger),
                ProgressBusService(bus),
                Survey(directory: CommandLine.arguments[1], bus: bus),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        do {
            try await group.run()
        } catch {
            FileHandle.standardError.write(Data("survey-broker: \(error)\n".utf8))
            exit(1)
        }
    }
}
