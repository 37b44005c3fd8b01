import Foundation

/// Plays the frames of very many sessions from a few processes, and measures what that costs a
/// broker that is there already.
///
/// `bus-load run [--sessions N] [--hertz H] [--seconds S] [--processes P] [--jobs J]
/// [--connections C]`: prints one JSON object. `bus-load play …` is one of its processes.
///
/// A session says what a worker's client says: hello, a redeemed ticket, a keyframe, a report for
/// each change, a heartbeat where it has nothing else to say, its ending, goodbye. Only connections
/// are shared, since as many as these need more ports and descriptors than a machine gives to a
/// few processes; libzmq's own share for them is measured by `Tools/Benchmarks/bench` with real ones.
@main
struct BusLoad {
    static func main() {
        // A broker that goes away must not take its measurement along by a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            switch arguments.first {
            case "run": try Measurement(try Plan(arguments.dropFirst())).run()
            case "play": try Player(try Plan(arguments.dropFirst())).run()
            default: throw Complaint(Plan.usage, code: 64)
            }
        } catch {
            let complaint = error as? Complaint ?? Complaint("\(error)", code: 70)
            FileHandle.standardError.write(Data("bus-load: \(complaint.sentence)\n".utf8))
            exit(complaint.code)
        }
    }
}
