import Foundation

/// What a process has used so far, by the system's own accounting (Linux).
struct Use {
    private let directory: String
    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

    init(ofProcess pid: Int32) throws {
        directory = "/proc/\(pid)"
        _ = try seconds()
    }

    private func read(_ name: String) throws -> String {
        guard let text = try? String(contentsOfFile: directory + "/" + name, encoding: .utf8) else {
            throw Complaint("\(directory)/\(name) cannot be read: has it ended?", code: 69)
        }
        return text
    }

    /// Processor time, user and system; proc_pid_stat(5).
    func seconds() throws -> Double {
        let text = try read("stat")
        // The name is in parentheses and may hold anything.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
        else { throw Complaint("\(directory)/stat cannot be understood", code: 70) }
        return (user + system) / Self.ticksPerSecond
    }

    /// Resident memory, now and at most.
    func megabytes() throws -> (now: Double, peak: Double) {
        let text = try read("status")
        func value(_ name: String) -> Double {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
                .flatMap { Double($0) } ?? 0
        }
        return (value("VmRSS:") / 1024, value("VmHWM:") / 1024)
    }
}
