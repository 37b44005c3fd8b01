import Foundation
import Logging
import ProgressBus
import ProgressBusBroker
import ProgressBusService
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

/// A client as a service beside a real broker, embedded in the same process.
@Suite(.serialized) struct ShutdownTests {
    /// Runs the body with a broker of its own, which is gone afterwards.
    private func withBroker(
        _ body: @Sendable (BusConfiguration) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "pb-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let endpoint = "ipc://\(directory)"
        let broker = BusBroker(
            configuration: BrokerConfiguration(
                endpoint: endpoint,
                stateDirectory: directory + "/state"
            ),
            logger: Logger(label: "broker") { _ in SwiftLogNoOpLogHandler() }
        )
        let running = Task { try await broker.run() }
        try await body(BusConfiguration(endpoint: endpoint))
        running.cancel()
        _ = await running.result
    }

    /// The only job on the bus once its client has left.
    private func jobLeftBehind(on bus: BusConfiguration) async throws -> TaskSnapshot? {
        let follower = BusFollower(bus)
        defer { follower.close() }
        // As its process lives, the broker waits some seconds for what may still be said of it.
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let job = try await follower.status(depth: 0, timeout: .seconds(10)).jobs.first
            if job?.state == .lost { return job }
            try await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }

    @Test func aGracefulShutdownClosesTheClient() async throws {
        try await withBroker { configuration in
            let bus = BusClient(configuration)
            let job = bus.beginJob("Serve requests")
            job.advance()
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await ProgressBusService(bus).run() }
                    while await !bus.sync(timeout: .seconds(10)) {}
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
            // Only a goodbye makes a task lost while its process lives, and with these words.
            #expect(
                try await jobLeftBehind(on: configuration)?.reason == "closed without an ending"
            )
        }
    }

    @Test func aCancelledServiceClosesTheClientToo() async throws {
        try await withBroker { configuration in
            let bus = BusClient(configuration)
            bus.beginJob("Serve requests")
            while await !bus.sync(timeout: .seconds(10)) {}
            let service = Task { try await ProgressBusService(bus).run() }
            service.cancel()
            try await service.value
            #expect(
                try await jobLeftBehind(on: configuration)?.reason == "closed without an ending"
            )
        }
    }
}
