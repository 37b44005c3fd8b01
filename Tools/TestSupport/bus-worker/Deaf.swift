import BusProtocol
import Foundation
import ProgressBus
import ZeroMQ

/// A follower that asks for everything and never reads: subscriptions, and snapshots of every job.
enum Deaf {
    /// Until its input ends.
    static func follow() async {
        await Worker.run {
            let endpoint = try BusEndpoint.resolve(
                explicit: nil,
                environment: ProcessInfo.processInfo.environment
            ).endpoint
            let follower = BusFollower()
            var boards = follower.boards.makeAsyncIterator()
            var jobs: [TaskID] = []
            while jobs.isEmpty, let board = try await boards.next() { jobs = board.jobs.map(\.id) }
            follower.close()

            let context = try ZeroMQContext()
            let updates = try ZeroMQSocket(.sub, in: context)
            // Nothing of it is to wait on this side.
            try updates.set(.receiveHighWaterMark, to: 1)
            try updates.connect(endpoint.updatesAddress)
            for topic in [Topic.totals, .board(page: 0)] + jobs.map(Topic.job) {
                try updates.subscribe(Array(topic.name.utf8))
            }
            let control = try ZeroMQSocket(.dealer, in: context)
            try control.set(.receiveHighWaterMark, to: 1)
            try control.connect(endpoint.controlAddress)
            var frame = WireClientFrame()
            frame.credentialBytes = (0..<16).map { _ in .random(in: 0...255) }
            frame.hello.session = .random(in: 1 ... .max)
            frame.hello.viewer = true
            _ = try control.send([Frame.encode(frame)])
            for number in 1...1_000 as ClosedRange<UInt64> {
                for job in jobs {
                    frame.snapshot.request = number
                    frame.snapshot.topic = Topic.job(job).name
                    _ = try control.send([Frame.encode(frame)])
                }
            }
            print("deaf")
            let input = InputEnd()
            while !input.isReached { try await Task.sleep(for: .milliseconds(100)) }
        }
    }
}
