import Foundation
import ProgressBus
import ProgressBusFoundation
import Synchronization
import Testing

/// A real tree of Foundation's `Progress`, advanced by several threads, on a real bus.
@Suite("Mirrored Progress objects", .serialized, .transcript, .timeLimit(.minutes(5)))
struct MirrorTests {
    /// A root whose children are worked on by a thread each, under a lock, as Foundation wants it.
    private final class Tree: Sendable {
        let lock = NSLock()
        let root: Progress
        private let children: [Progress]
        /// How much of each child may be done, in thousandths.
        private let allowed = Atomic<Int64>(0)

        init(_ totals: [Int64]) {
            let root = Progress(totalUnitCount: Int64(totals.count))
            root.isCancellable = true
            root.isPausable = true
            self.root = root
            children = totals.map {
                Progress(totalUnitCount: $0, parent: root, pendingUnitCount: 1)
            }
        }

        func allow(_ thousandths: Int64) {
            allowed.store(thousandths, ordering: .releasing)
        }

        /// Returns when each child is finished or cancelled.
        func work() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for child in children {
                    group.addTask {
                        try await onOwnThread {
                            while self.lock.withLock({ self.step(child) }) {
                                // As long as a small piece of work takes.
                                usleep(200)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        private func step(_ child: Progress) -> Bool {
            let limit = child.totalUnitCount * allowed.load(ordering: .acquiring) / 1_000
            if !child.isPaused, !child.isCancelled, child.completedUnitCount < limit {
                child.completedUnitCount += 1
            }
            return !child.isCancelled && !child.isFinished
        }
    }

    private static let totals: [Int64] = [1_000, 700, 330, 50]

    @Test("A tree: its children's work shows, pause and cancel from the shell reach its threads")
    func pauseAndCancel() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            let tree = Tree(Self.totals)
            let lock = tree.lock
            client.mirror(tree.root, title: "Import the library") { look in
                lock.withLock { look() }
            }
            let work = Task { try await tree.work() }
            tree.allow(500)
            let half = try await bus.status("half of it") { report in
                (report.job(titled: "Import the library")?.fraction ?? 0) >= 0.5
            }
            let job = try #require(half.job(titled: "Import the library"))
            #expect(job.completed == 5_000 && job.total == 10_000 && job.unit.isEmpty)
            #expect(job.cancellable && job.pausable)

            #expect(try await bus.run("pause", "1").end == .exited(0))
            try await bus.status("paused") { $0.jobs.first?.state == "paused" }
            #expect(lock.withLock { tree.root.isPaused })
            tree.allow(900)
            #expect(try await bus.run("resume", "1").end == .exited(0))
            try await bus.status("more of it") { report in
                report.jobs.first?.state == "running" && report.jobs[0].completed >= 9_000
            }

            #expect(try await bus.run("cancel", "1").end == .exited(0))
            try await work.value
            try await bus.status("cancelled") { $0.jobs.first?.state == "cancelled" }
            #expect(await client.close(timeout: .seconds(20)))
        }
    }

    @Test("A tree that pauses and ends by itself, and one that is released unfinished")
    func ownEndings() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            let job = client.beginJob("Back up", total: 2)
            let tree = Tree(Self.totals)
            let lock = tree.lock
            client.mirror(tree.root, title: "Copy", under: job, share: 1) { look in
                lock.withLock { look() }
            }
            do {
                let forgotten = Progress(totalUnitCount: 2)
                client.mirror(forgotten, title: "Verify", under: job, share: 1)
                forgotten.completedUnitCount = 1
            }
            lock.withLock { tree.root.pause() }
            try await bus.status("paused") { report in
                report.jobs.first?.child(titled: "Copy")?.state == "paused"
            }
            lock.withLock { tree.root.resume() }
            tree.allow(1_000)
            try await tree.work()
            let report = try await bus.status("all has ended") { report in
                let states = report.jobs.first?.children.map(\.state) ?? []
                return states == ["succeeded", "failed"]
            }
            let verify = report.jobs[0].child(titled: "Verify")
            #expect(verify?.completed == 1)
            #expect(verify?.reason == "its Progress object was released before it was finished")
            #expect(report.jobs[0].fraction == 0.75)
            job.endCancelled()
            #expect(await client.close(timeout: .seconds(20)))
        }
    }
}
