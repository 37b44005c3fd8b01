import Foundation
import Testing

/// Nothing on the screen moves unless the person's own hand moved it (I-11).
///
/// Workers come and go, are killed, the broker dies and comes again, dashboards are opened late:
/// every label is followed through every frame.
@Suite("Dashboards keep every indicator in its place", .serialized, .transcript)
struct DashboardPlaceTests {
    private static let label = #"(task \d+)"#

    @Test(
        "I-11: 40 tasks on 12 workers, some killed, the broker too: nothing moves in a job's view",
        .timeLimit(.minutes(5)),
        arguments: [1, 2, 3]
    )
    func jobView(seed: Int) async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let crew = try TerminalCrew(on: bus, seed: seed)
            let early = try await openJob(on: bus)

            try await eventually("the crew has done 5 tasks") { crew.endings >= 5 }
            let late = try await openJob(on: bus)
            try await eventually("the crew has done 12 tasks") { crew.endings >= 12 }
            broker.send(SIGKILL)
            try await broker.end()
            let killed = Double.monotonicNow
            _ = try await bus.startBroker("--linger", "600")
            try await crew.finish()

            let lives = try crew.lives()
            #expect(lives.count > 34, "40 less the unbegun ones of three that were killed")
            // While nobody is connected nobody can tell of new tasks; those shown must stay.
            let calm = lives.filter { $0.began < killed - 1.5 || $0.began > killed + 4 }
            for dashboard in [early, late] {
                let isEarly = dashboard === early
                let (places, seen) = try await dashboard.history(lives: lives, grace: .seconds(9))
                #expect(places.faults == [])
                let screen = try await dashboard.screen()
                #expect(places.labels >= (isEarly ? 20 : 10), "\(screen)")
                #expect(seen.missing.isEmpty, "\(seen)\n\(screen)")
                if isEarly {
                    // Rows come within 0.4 s on a quiet machine; this is for a busy one.
                    let promptly = try await dashboard.history(lives: calm, grace: .seconds(5))
                    #expect(promptly.lives.late.isEmpty, "\(promptly.lives)")
                    print(
                        "seed \(seed): the latest of \(calm.count) rows came after "
                            + "\(promptly.lives.worstDelay) s"
                    )
                }
            }
            try await expectSamePlaces(early, late, atLeast: 10)
        }
    }

    @Test(
        "I-11: a second run of the same job keys is in the slots of the first, on every board",
        .timeLimit(.minutes(5))
    )
    func board() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "1")
            let early = try await openBoard(on: bus)
            let jobs = ["jobs": 1, "tasks": 12, "workers": 6, "kills": 0, "longest": 900]
            let first = try TerminalCrew(on: bus, seed: 1, jobs)
            try await first.finish()
            try await early.wait(forPattern: Self.label, isAbsent: true)

            // Somebody else's work takes none of their slots.
            let other = try bus.startReporter()
            other.begin("other", "Other work", #""key":"other","total":10"#)
            try await other.sync()
            broker.send(SIGKILL)
            try await broker.end()
            _ = try await bus.startBroker("--linger", "1")
            let late = try await openBoard(on: bus)

            let second = try TerminalCrew(
                on: bus,
                seed: 2,
                jobs.merging(["shuffled": 1]) { $1 }
            )
            try await second.finish()
            let lives = try first.lives() + second.lives()
            #expect(lives.count == 24)
            let (places, seen) = try await early.history(lives: lives, grace: .seconds(5))
            #expect(places.labels == 12)
            #expect(places.gaps >= 12, "each of them left and came back")
            #expect(places.faults == [])
            let screen = try await early.screen()
            #expect(seen.missing.isEmpty, "\(seen)\n\(screen)")
            #expect(try await late.history().faults == [])
            try await expectSamePlaces(early, late, atLeast: 12)
        }
    }

    @Test(
        "I-11: 2,000 short children of a pool of 8: what runs is shown, nothing moves",
        .timeLimit(.minutes(5))
    )
    func pool() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let crew = try TerminalCrew(
                on: bus,
                seed: 1,
                [
                    "tasks": 2_000, "workers": 8, "each": 250, "kills": 0, "shortest": 5,
                    "longest": 40, "slow": 100,
                ]
            )
            let dashboard = try await openJob(on: bus)
            try await crew.finish()
            let lives = try crew.lives()
            #expect(lives.count == 2_000)
            let (places, seen) = try await dashboard.history(lives: lives, grace: .seconds(3))
            #expect(places.faults == [])
            // The slow ones at least; of the others whoever lived while a frame was drawn.
            #expect(places.labels > 20)
            let screen = try await dashboard.screen()
            #expect(seen.missing.isEmpty, "\(seen)\n\(screen)")
            #expect(seen.late.isEmpty, "\(seen)\n\(screen)")
            print("\(places.labels) of 2,000 seen, \(places.looks) looks, \(seen.worstDelay) s")
        }
    }

    private func openJob(on bus: TemporaryBus) async throws -> TerminalSession {
        try await bus.status("the crew's job") { $0.job(titled: "Parallelism") != nil }
        // A broker of its own would be in the way of the one that the test starts anew.
        let arguments = ["watch", "key:crew", "--no-autostart"]
        let session = try await TerminalSession.start(on: bus, arguments, columns: 200, rows: 60)
        try await session.wait(forPattern: Self.label)
        try await session.follow(Self.label)
        return session
    }

    /// A board that shows what there is, and so what begins from now on.
    private func openBoard(on bus: TemporaryBus) async throws -> TerminalSession {
        let first = try bus.startReporter()
        first.begin("first", "Shown on every board", #""key":"first""#)
        try await first.sync()
        let session = try await TerminalSession.start(
            on: bus,
            ["watch", "--no-autostart"],
            columns: 200,
            rows: 60
        )
        try await session.wait(for: "Shown on every board")
        try await session.follow(Self.label)
        return session
    }

    /// Both show what both have shown in the same cells.
    private func expectSamePlaces(
        _ one: TerminalSession,
        _ other: TerminalSession,
        atLeast count: Int
    ) async throws {
        let (first, second) = (try await one.history().places, try await other.history().places)
        let common = first.keys.filter { second[$0] != nil }.sorted()
        #expect(common.count >= count)
        for label in common {
            let places = [first[label], second[label]].map { [$0?.row, $0?.column] }
            #expect(places[0] == places[1], "\(label) is elsewhere on the other dashboard")
        }
    }
}
