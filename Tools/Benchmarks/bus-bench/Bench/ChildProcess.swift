import Foundation

/// A process that a section has started; it is ended when nobody holds it any more.
final class ChildProcess {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()

    /// This program in another role.
    convenience init(role: [String], endpoint: String) throws {
        try self.init(
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
            ["role"] + role,
            environment: ["PROGRESSBUS_ENDPOINT": endpoint]
        )
    }

    init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        isQuiet: Bool = false
    ) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("PROGRESSBUS_") }
            .merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    var pid: Int32 { process.processIdentifier }

    /// Writes an empty line to its input.
    func nod() {
        input.fileHandleForWriting.write(Data("\n".utf8))
    }

    /// Waits for a line of output; nil at its end.
    func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = output.fileHandleForReading.readData(ofLength: 1).first {
            guard byte != UInt8(ascii: "\n") else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Waits for its end and reads the last line as an object of numbers.
    func object() throws -> [String: Double] {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let name = process.arguments?.dropFirst().first ?? ""
        guard process.terminationStatus == 0 else {
            throw Obstacle("\(name) ended with \(process.terminationStatus)")
        }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").last ?? ""
        do {
            return try JSONDecoder().decode([String: Double].self, from: Data(line.utf8))
        } catch {
            throw Obstacle("\(name) printed \"\(line)\", which is no object of numbers")
        }
    }

    /// Seconds of processor time so far, of the process and in the kernel for it.
    var processorSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        // Behind the name, which may hold anything.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

/// The real broker on a bus of its own.
final class RealBroker {
    let endpoint: String
    let process: ChildProcess
    private let directory: String

    init(_ arguments: String...) throws {
        directory = try newDirectory()
        endpoint = "ipc://\(directory)/bus"
        let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("progressbus").path
        let program = ProcessInfo.processInfo.environment["PROGRESSBUS_PROGRAM"] ?? beside
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Obstacle("no program \(program): build the product progressbus first")
        }
        process = try ChildProcess(
            program,
            ["broker"] + arguments,
            environment: [
                "PROGRESSBUS_ENDPOINT": endpoint, "PROGRESSBUS_STATE": "\(directory)/state",
            ],
            isQuiet: true
        )
        let end = ContinuousClock.now + .seconds(20)
        while !FileManager.default.fileExists(atPath: "\(directory)/bus/control") {
            guard ContinuousClock.now < end else { throw Obstacle("the broker does not begin") }
            // Asked again and again, as a script would: no program says when its socket is there.
            usleep(10_000)
        }
    }

    deinit {
        kill(process.pid, SIGKILL)
        try? FileManager.default.removeItem(atPath: directory)
    }
}
