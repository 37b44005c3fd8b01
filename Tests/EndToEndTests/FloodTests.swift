import Foundation
import Testing

/// A session that says more than the broker can hear delays itself, not the others.
@Suite("Floods", .serialized, .transcript, .timeLimit(.minutes(5)))
struct FloodTests {
    private struct Figures: Decodable {
        let frames: Int
        let quiet: Double
        let flooded: Double
    }

    @Test("One session floods: another's frames are delayed by a tick at most")
    func otherSessionsAreNotDelayed() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.start(program: Programs.busWorker(), ["flood"])
            #expect(try await worker.end(within: .seconds(90)) == .exited(0))
            let figures = try JSONDecoder().decode(Figures.self, from: Data(worker.output.utf8))
            #expect(figures.frames > 50, "no flood")
            // A tick is 50 ms; ten times that for a debug build on a busy machine.
            #expect(figures.flooded - figures.quiet < 500)
            #expect(broker.endIfAny() == nil)
        }
    }
}
