import Foundation

extension TemporaryBus {
    /// Starts a shell script in which `$RUN` is `progressbus run`, `$BUS` the program, `$WORKER`
    /// bus-worker and `$HERE` a directory for files.
    func script(
        _ text: String,
        shell: String = "/bin/sh",
        adding additions: [String: String] = [:]
    ) throws -> ChildProcess {
        let names = try scriptVariables.merging(additions) { $1 }
        return try start(program: shell, ["-c", text], adding: names)
    }

    /// The same to its end, without input.
    func runScript(
        _ text: String,
        shell: String = "/bin/sh",
        adding additions: [String: String] = [:],
        within patience: Duration = .seconds(30)
    ) async throws -> CommandResult {
        let child = try script(text, shell: shell, adding: additions)
        let end = try await child.finish(within: patience)
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    /// What scripts find in their environment.
    var scriptVariables: [String: String] {
        get throws {
            let bus = try Programs.progressbus()
            return [
                "RUN": "\(bus) run", "BUS": bus, "WORKER": try Programs.busWorker(),
                "HERE": directory,
            ]
        }
    }

    /// The text of a file of the test; nil while there is none.
    func contents(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number that a script writes into a file, as soon as it is there.
    func number(in name: String) async throws -> Int32 {
        try await eventually("\(name) is written") {
            guard let text = contents(name), text.hasSuffix("\n") else { return nil }
            return Int32(text.dropLast())
        }
    }
}

/// The state of a process in one letter, as ps(1) has it; nil once it is gone.
func processState(_ pid: Int32) -> Character? {
    guard let text = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
        let end = text.lastIndex(of: UInt8(ascii: ")")), text.count > end + 2
    else { return nil }
    return Character(UnicodeScalar(text[end + 2]))
}

/// The seconds of processor time that a process has taken so far; nil once it is gone.
func processorTime(of pid: Int32) -> Double? {
    guard let text = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
        let name = text.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    // The fields behind the name begin with the state, the third one; 14 and 15 are ticks.
    let fields = String(decoding: text[(name + 1)...], as: UTF8.self).split(separator: " ")
    guard fields.count > 12, let own = Double(fields[11]), let system = Double(fields[12]) else {
        return nil
    }
    return (own + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// Whether a process runs, not counting one that only waits to be collected.
func isAlive(_ pid: Int32) -> Bool {
    processState(pid).map { $0 != "Z" && $0 != "X" } ?? false
}
