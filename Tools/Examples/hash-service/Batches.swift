import Checksum
import Foundation
import ProgressBus
import Synchronization

/// The batches of one connection, one after the other, each a job on the bus.
struct Batches {
    /// More than this in one batch is refused, so that nobody makes us grow without bound.
    static let limit = 1_000_000

    private static let number = Atomic(0)

    private let connection: LineConnection
    private let bus: BusClient

    init(_ connection: LineConnection, _ bus: BusClient) {
        self.connection = connection
        self.bus = bus
    }

    /// Returns when the peer has gone, said something that is not a batch, or is not listened to.
    func serve() {
        while let line = connection.readLine() {
            guard let count = Int(line), (1...Self.limit).contains(count) else {
                connection.write("error: say how many lines follow, 1 to \(Self.limit)\n")
                return
            }
            guard hash(count) else { return }
        }
    }

    /// Whether there may be another batch.
    private func hash(_ count: Int) -> Bool {
        let number = Self.number.add(1, ordering: .relaxed).newValue
        let job = bus.beginJob(
            "Hash batch \(number)",
            total: count,
            unit: "lines",
            options: TaskOptions(isCancellable: true)
        )
        for _ in 0..<count {
            if job.isCancelled {
                connection.write("error: cancelled\n")
                job.endCancelled("on request")
                return false
            }
            guard let line = connection.readLine() else {
                job.endCancelled("the batch was not sent to its end")
                return false
            }
            let digest = SHA256.hash(line.utf8)
            guard connection.write(digest.hexadecimal + "\n") else {
                job.fail("nobody takes the answer")
                return false
            }
            job.advance()
        }
        job.succeed()
        return true
    }
}
