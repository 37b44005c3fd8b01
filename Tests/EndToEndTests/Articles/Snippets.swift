import Foundation
import ProgressBus
import ProgressBusFoundation

/// Code that the articles show; `ArticleTests` sees that they show this.
enum Snippets {
    static func worker(
        episodes: [String],
        encode: @escaping @Sendable (String, Int) -> Void
    ) async throws {
        let bus = BusClient()
        let job = bus.beginJob(
            "Encode the season",
            key: "encode",
            total: episodes.count,
            unit: "episodes"
        )
        for episode in episodes {
            // Ends as the code ends: an error fails it, a cancellation cancels it.
            try await job.withChild("Encode \(episode)", total: 100, unit: "frames") { task in
                for frame in 0..<100 {
                    try await task.checkpoint()  // throws when cancelled
                    encode(episode, frame)
                    task.advance()
                }
            }
        }
        job.succeed()
        await bus.close()
    }

    static func mirror(
        _ progress: Progress,
        _ lock: NSLock,
        under job: ProgressTask,
        bus: BusClient
    ) {
        bus.mirror(progress, title: "Import the library", under: job) { look in
            lock.withLock { look() }
        }
    }

    static func watch() async throws {
        for try await board in BusFollower().boards {
            for job in board.jobs where job.needsAttention { print(job.title, job.state) }
        }
    }
}
