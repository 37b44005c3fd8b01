import ProgressBus
import ProgressBusTesting
import Testing

/// Code that reports, as a program has it.
private func importPhotos(_ names: [String], reportingTo bus: BusClient) async throws {
    try await bus.withJob("Import photos", total: names.count, unit: .files) { job in
        for name in job.tracking(names) {
            try await job.checkpoint()
            try? await job.withChild("Read \(name)", share: 0) { _ in try await read(name) }
        }
    }
}

private func read(_ name: String) async throws {
    await Task.yield()
    if name.hasPrefix("torn") { throw Unreadable() }
}

private struct Unreadable: Error, CustomStringConvertible {
    var description: String { "The file is torn." }
}

private let manyPhotos = (0..<1_000_000).map { "\($0).jpg" }

@Suite("The example of the article")
struct PhotoImportTests {
    @Test("A photo that cannot be read is named, and the import goes on")
    func unreadable() async throws {
        let bus = TestBus()
        try await importPhotos(["a.jpg", "torn.jpg", "c.jpg"], reportingTo: bus.client)
        let job = try #require(bus.jobs.first)
        #expect(job.state == .succeeded && job.completed == 3)
        #expect(bus.task(titled: "Read torn.jpg")?.reason == "The file is torn.")
    }

    @Test("Somebody who waits is told how long")
    func timeLeft() throws {
        let bus = TestBus()
        let job = bus.client.beginJob("Import photos", total: 100, unit: .files)
        for _ in 0..<20 {
            job.advance()
            bus.advance(by: .seconds(1))
        }
        let left = try #require(bus.jobs.first?.secondsLeft)
        #expect(abs(left - 80) < 15)
    }

    @Test("A cancelled import stops")
    func cancelled() async throws {
        let bus = TestBus()
        let client = bus.client
        let work = Task { try await importPhotos(manyPhotos, reportingTo: client) }
        while bus.jobs.isEmpty { await Task.yield() }
        try await bus.perform(.cancel, on: .key("Import photos"))
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(bus.jobs.first?.state == .cancelled)
    }
}
