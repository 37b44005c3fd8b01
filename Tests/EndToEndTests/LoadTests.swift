import Testing

/// Very many sessions from a few processes; see Tools/Benchmarks/load.
@Suite("Load", .serialized, .transcript, .timeLimit(.minutes(5)))
struct LoadTests {
    @Test("2,000 sessions of two processes begin, report and end: the tree has done all of it")
    func crowd() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker(
                // On a busy machine nobody may look for longer than ended jobs usually stay.
                "--linger",
                "600",
                "--limit",
                "sessions-per-connection=2000",
                "--limit",
                "sessions-per-process=2000"
            )
            let load = try bus.start(
                program: Programs.busLoad(),
                ["run", "--sessions", "2000", "--hertz", "2", "--seconds", "2", "--jobs", "2"]
            )
            // 12 s on a quiet machine; 87 s were seen beside three busy loops and the other tests.
            let end = try await load.finish(within: .seconds(300))
            #expect(end == .exited(0), "\(load.output)\(load.errorOutput)")
            #expect(load.output.contains(#""sessions":2000"#), "\(load.output)")
            try await bus.status("four jobs of 500 parts each have succeeded") { report in
                report.jobs.count == 4
                    && report.jobs.allSatisfy {
                        $0.state == "succeeded" && $0.counts.succeeded == 500
                    }
            }
        }
    }
}
