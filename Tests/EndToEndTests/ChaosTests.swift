import Testing

/// Everything that can happen to the processes of a bus happens for a moment; see Tools/TestSupport/chaos.
@Suite("Chaos", .serialized, .transcript, .timeLimit(.minutes(5)))
struct ChaosTests {
    private static let options =
        [[], ["--keys"]] + (RemoteMachine.isPossible ? [["--ssh"], ["--ssh", "--keys"]] : [])

    @Test(
        "Workers and brokers are killed and stopped: every promised ending is there, no other",
        arguments: options
    )
    func promises(options: [String]) async throws {
        try await withBus { bus in
            let arguments =
                ["run", "--seconds", "10", "--seed", "20261121", "--workers", "5"] + options
            let chaos = try bus.start(program: Programs.busChaos(), arguments)
            let end = try await chaos.finish(within: .seconds(200))
            #expect(end == .exited(0), "\(chaos.output)\(chaos.errorOutput)")
            #expect(chaos.output.contains(#""violations":0"#), "\(chaos.output)")
        }
    }
}
