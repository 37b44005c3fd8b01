import Foundation

/// Shows that the bus keeps its promises whatever happens to its processes.
///
/// - `bus-chaos run [--seconds N] [--seed S] [--workers W] [--keys] [--ssh]`: lets workers, viewers
///   and a hostile client loose on a bus of its own, kills, stops and starves them and the broker, and compares
///   what the bus says at the end with what the workers have written down themselves.
/// - `bus-chaos work …`, `hostile …`, `deaf`: the processes that it starts.
///
/// Exit: 0 if all promises held, 1 with a sentence for each that did not, 64 for a wrong argument,
/// 71 if a process cannot be started, 130 if it was interrupted.
@main
struct BusChaos {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "run":
            guard let plan = ChaosPlan(Array(arguments.dropFirst())) else { usage() }
            await exit(Chaos.run(plan))
        case "work":
            guard var worker = ChaosWorker(Array(arguments.dropFirst())) else { usage() }
            await worker.run()
        case "hostile":
            guard let hostility = Hostility(Array(arguments.dropFirst())) else { usage() }
            hostility.run()
        case "deaf": Deafness.run()
        default: usage()
        }
    }

    private static func usage() -> Never {
        complain("usage: bus-chaos run [--seconds N] [--seed S] [--workers W] [--keys] [--ssh]")
        exit(64)
    }
}
