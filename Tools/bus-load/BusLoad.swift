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
/// few processes; libzmq's own share for them is measured by `Tools/bench` with real ones.
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

struct Complaint: Error {
    let sentence: String
    let code: Int32

    init(_ sentence: String, code: Int32) {
        self.sentence = sentence
        self.code = code
    }
}

/// What is to be played.
struct Plan {
    static let usage = """
        usage: bus-load run [--sessions N] [--hertz H] [--seconds S] [--processes P] [--jobs J] \
        [--connections C]
        """

    /// In all, or of one process.
    var sessions = 10_000
    /// Reports of a session in a second; 0: heartbeats alone.
    var hertz = 1.0
    var seconds = 10.0
    var processes = 2
    /// Jobs of a process, between which its sessions are shared out.
    var jobs = 4
    /// Pairs of sockets of a process.
    var connections = 16

    init(_ arguments: some Sequence<String>) throws {
        var words = Array(arguments)
        while !words.isEmpty {
            let name = words.removeFirst()
            guard let text = words.first, let number = Double(text), number >= 0, number < 1e9
            else { throw Complaint("\(name) wants a number.\n" + Self.usage, code: 64) }
            words.removeFirst()
            switch name {
            case "--sessions": sessions = Int(number)
            case "--hertz": hertz = number
            case "--seconds": seconds = number
            case "--processes": processes = Int(number)
            case "--jobs": jobs = Int(number)
            case "--connections": connections = Int(number)
            default: throw Complaint("nobody knows \(name).\n" + Self.usage, code: 64)
            }
        }
        guard sessions > 0, processes > 0, jobs > 0, connections > 0, seconds > 0 else {
            throw Complaint("every number but --hertz is above 0", code: 64)
        }
    }

    /// What one process plays.
    var part: [String] {
        [
            "play", "--sessions", "\(sessions / processes)", "--hertz", "\(hertz)",
            "--seconds", "\(seconds)", "--jobs", "\(jobs)", "--connections", "\(connections)",
        ]
    }
}
