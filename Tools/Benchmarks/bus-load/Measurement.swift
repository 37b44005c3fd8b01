import Foundation

/// Starts the processes, looks at the broker meanwhile, and prints what it saw.
struct Measurement {
    private let plan: Plan

    init(_ plan: Plan) { self.plan = plan }

    private struct Result: Codable {
        var sessions = 0
        var hertz = 0.0
        var processes = 0
        /// Sessions that begin in a second: hello, ticket, keyframe, all of it on disk.
        var beginsPerSecond = 0.0
        var reportsOffered = 0.0
        var reportsPerSecond = 0.0
        var heartbeatsPerSecond = 0.0
        /// Of one core, while it played.
        var brokerPercent = 0.0
        var playersPercent = 0.0
        var brokerMegabytes = 0.0
        var brokerPeakMegabytes = 0.0
        var probeMedianMilliseconds = 0.0
        var probeWorstMilliseconds = 0.0
        var endingsPerSecond = 0.0
        var load = ""
    }

    func run() throws {
        let broker = try Use(ofProcess: try brokerPID())
        let players = try (0..<plan.processes).map { _ in try ChildPlayer(plan.part) }
        defer { for player in players { player.stop() } }
        for player in players { try player.expect("begun") }
        let before = try (broker.seconds(), players.map { try $0.use.seconds() })
        let start = Clock.seconds
        for player in players { player.goOn() }
        for player in players { try player.expect("played") }
        let time = Clock.seconds - start
        let after = try (broker.seconds(), players.map { try $0.use.seconds() })
        let memory = try broker.megabytes()
        for player in players { player.goOn() }
        let tallies = try players.map { try $0.tally() }

        var result = Result()
        result.sessions = tallies.reduce(0) { $0 + $1.sessions }
        result.hertz = plan.hertz
        result.processes = plan.processes
        let sessions = Double(result.sessions)
        result.beginsPerSecond = sessions / (tallies.map(\.secondsToBegin).max() ?? 1)
        result.reportsOffered = sessions * plan.hertz
        result.reportsPerSecond = Double(tallies.reduce(0) { $0 + $1.reports }) / time
        result.heartbeatsPerSecond = Double(tallies.reduce(0) { $0 + $1.heartbeats }) / time
        result.brokerPercent = 100 * (after.0 - before.0) / time
        result.playersPercent = 100 * zip(after.1, before.1).reduce(0) { $0 + $1.0 - $1.1 } / time
        result.brokerMegabytes = memory.now
        result.brokerPeakMegabytes = memory.peak
        let probes = tallies.flatMap(\.probes).sorted()
        if let worst = probes.last {
            result.probeMedianMilliseconds = probes[probes.count / 2]
            result.probeWorstMilliseconds = worst
        }
        result.endingsPerSecond = sessions / (tallies.map(\.secondsToEnd).max() ?? 1)
        result.load =
            (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?
            .split(separator: " ").prefix(1).joined() ?? ""
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(result), as: UTF8.self))
    }

    /// The broker of the endpoint is named in its lock.
    private func brokerPID() throws -> Int32 {
        guard let text = ProcessInfo.processInfo.environment["PROGRESSBUS_ENDPOINT"],
            text.hasPrefix("ipc://"),
            let lock = try? String(
                contentsOfFile: text.dropFirst("ipc://".count) + "/lock",
                encoding: .utf8
            ),
            let pid = Int32(lock.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw Complaint("PROGRESSBUS_ENDPOINT names no ipc endpoint with a broker", code: 69)
        }
        return pid
    }
}

/// One process that plays.
private final class ChildPlayer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()
    let use: Use

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        use = try Use(ofProcess: process.processIdentifier)
    }

    func goOn() { input.fileHandleForWriting.write(Data("\n".utf8)) }

    func stop() { if process.isRunning { process.terminate() } }

    private func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw Complaint("a process that played has ended", code: 69)
            }
            buffer += more
        }
    }

    func expect(_ word: String) throws {
        let line = try line()
        guard line == word else { throw Complaint("\(word) was expected, not \(line)", code: 70) }
    }

    func tally() throws -> Player.Tally {
        try JSONDecoder().decode(Player.Tally.self, from: Data(try line().utf8))
    }
}
