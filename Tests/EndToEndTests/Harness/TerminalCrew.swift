import Foundation

/// Processes that do tasks of which a dashboard shows the titles; see Tools/TestSupport/bus-worker/Parallelism.swift.
struct TerminalCrew: Sendable {
    private let process: ChildProcess

    init(on bus: TemporaryBus, seed: Int, _ options: [String: Int] = [:]) throws {
        let words = options.sorted { $0.key < $1.key }.flatMap { ["--\($0.key)", "\($0.value)"] }
        process = try bus.start(program: Programs.busWorker(), ["crew", "\(seed)"] + words)
    }

    /// How many tasks are about to end, or have.
    var endings: Int {
        process.outputLines.count { $0.hasPrefix("ending ") }
    }

    /// Waits until all is done.
    func finish(within patience: Duration = .seconds(60)) async throws {
        let end = try await process.end(within: patience)
        guard end == .exited(0), process.output.hasSuffix("done\n") else {
            throw NeverHappened(
                what: "the crew is done, not \(end)",
                patience: patience,
                last: String(process.output.suffix(1_000)) + process.errorOutput
            )
        }
    }

    /// What dashboards are searched for: "task 07" of the title "Sort task 07".
    private static func label(of title: Substring) -> String {
        title.split(separator: " ").suffix(2).joined(separator: " ")
    }

    /// When each task was alive: from its beginning until its end was about to be said or its
    /// process was killed.
    func lives() throws -> [TerminalLife] {
        var running: [Substring: (label: String, began: Double)] = [:]
        var lives: [TerminalLife] = []
        for line in process.outputLines {
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count >= 3, let time = Double(words[2]) else { continue }
            switch words[0] {
            case "began": running[words[1]] = (Self.label(of: words[3]), time)
            default:
                guard let task = running.removeValue(forKey: words[1]) else { continue }
                lives.append(TerminalLife(label: task.label, began: task.began, ended: time))
            }
        }
        return lives
    }
}

extension Double {
    /// The time that crews and terminals go by: seconds of the system's monotonic clock.
    static var monotonicNow: Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
