import BusProtocol
import Foundation
import ProgressBus
import ZeroMQ

/// A viewer that subscribes to everything and never reads.
enum Deafness {
    static func run() {
        let conductor = getppid()
        do {
            let endpoint = try BusEndpoint.resolve(
                explicit: nil,
                environment: ProcessInfo.processInfo.environment
            ).endpoint
            let context = try ZeroMQContext()
            let first = try socket(endpoint, in: context)
            let second = try socket(endpoint, in: context)
            // It has nothing to do; nothing announces portably that a parent has ended.
            while getppid() == conductor { usleep(200_000) }
            first.close()
            second.close()
        } catch {
            complain("\(error)")
            exit(69)
        }
    }

    private static func socket(
        _ endpoint: BusEndpoint,
        in context: ZeroMQContext
    ) throws -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.sub, in: context)
        try socket.prepare(for: endpoint, reconnectMilliseconds: (first: 50, longest: 500))
        try socket.connect(endpoint.updatesAddress)
        for topic in ["", "totals/", "attention/", "board/0/"] {
            try socket.subscribe(Array(topic.utf8))
        }
        return socket
    }
}
