import Foundation

/// How long, how many, and by which seed.
struct ChaosPlan {
    var seconds = 60
    var seed = UInt64.random(in: 1...999_999)
    var workers = 8
    /// Whether the bus is at tcp, with keys.
    var hasKeys = false
    /// Whether every other worker is at work on another machine, which is this one through ssh.
    var hasSSH = false
    /// What the broker may have in use at the end, in MiB: some tens and 4 KiB for each task of a
    /// full round are what it takes.
    static let brokerMemory = 400
    /// Longer runs are cut into rounds, each on a bus of its own, so that everything stays bounded.
    static let roundSeconds = 60

    init?(_ arguments: [String]) {
        hasKeys = arguments.contains("--keys")
        hasSSH = arguments.contains("--ssh")
        let arguments = arguments.filter { !["--keys", "--ssh"].contains($0) }
        guard arguments.count % 2 == 0 else { return nil }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard let number = UInt64(arguments[index + 1]), number > 0 else { return nil }
            switch arguments[index] {
            case "--seconds" where number <= 86_400: seconds = Int(number)
            case "--seed": seed = number
            case "--workers" where number <= 100: workers = Int(number)
            default: return nil
            }
        }
    }

    /// The programs under test lie beside this one.
    static var programs: String {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        return (own as NSString).deletingLastPathComponent
    }

    static var vectors: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Protocol/vectors").standardizedFileURL.path
    }
}

/// Chances that are the same for the same seed.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(number(range))
    }
}

/// The files of one round; everything is below one directory.
struct ChaosPlace {
    let directory: String
    /// The first of the broker's ports, where the bus has keys.
    let port: Int?

    /// What everybody but the broker finds in the environment.
    var endpoint: String { port == nil ? "ipc://" + sockets : Self.bus }
    /// What a bus with keys is called.
    static let bus = "chaos"
    var configuration: String { directory + "/config" }
    /// The keys of this user, which everybody shows.
    var membership: String { configuration + "/progressbus/buses/" + Self.bus }
    var sockets: String { directory + "/bus" }
    var spool: String { sockets + "/spool" }
    var state: String { directory + "/state" }
    var ledgers: String { directory + "/ledgers" }
    /// Tickets for whoever wants them, a file each.
    var tickets: String { directory + "/tickets" }
    /// Once it is there, nobody begins a job any more.
    var calm: String { directory + "/calm" }
    var hostileFrames: String { directory + "/hostile-frames" }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
