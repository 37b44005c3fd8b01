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
