import Foundation
import ProcessControl

/// A process that the conductor has started.
///
/// Its pid belongs to it and nobody else until `endIfAny` has returned an end. Not thread-safe.
final class ChildProcess {
    typealias End = ProcessEnd

    let name: String
    let pid: pid_t
    /// The file of what it says.
    private let output: String
    private(set) var end: End?
    /// Stopped until then, if it is stopped.
    var stoppedUntil: ContinuousClock.Instant?
    /// Whether it was told to end, and by which signal.
    private(set) var ordered: Int32?

    /// Starts a program in a process group of its own; what it says goes to a file.
    init?(_ path: String, _ arguments: [String], environment: [String: String], output: String) {
        name = (path as NSString).lastPathComponent + " " + (arguments.first ?? "")
        self.output = output
        let file = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        var request = SpawnRequest(
            path: SystemString(path),
            arguments: ([path] + arguments).map { SystemString($0) },
            environment: EnvironmentBlock(
                entries: environment.map { SystemString("\($0.key)=\($0.value)") }
            ),
            streams: [nil, file, file]
        )
        request.group = .own
        do {
            pid = try request.start()
        } catch {
            complain("cannot start \(path): \(error)")
            return nil
        }
    }

    @discardableResult func endIfAny() -> End? {
        guard end == nil else { return end }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        end = End(waitStatus: status)
        return end
    }

    /// Tells it to end, or one that it has started; a stopped one hears SIGTERM when it goes on.
    func order(_ number: Int32, to part: pid_t? = nil) {
        guard endIfAny() == nil else { return }
        ordered = number
        kill(part ?? pid, number)
    }

    func stop(for time: Duration) {
        guard endIfAny() == nil, stoppedUntil == nil else { return }
        stoppedUntil = .now + time
        kill(pid, SIGSTOP)
    }

    /// Lets it go on if its time has come.
    func goOnIfDue(_ now: ContinuousClock.Instant) {
        guard let moment = stoppedUntil, moment <= now, endIfAny() == nil else { return }
        stoppedUntil = nil
        kill(pid, SIGCONT)
    }

    /// Ends it and all of its group for good.
    func destroy() {
        guard endIfAny() == nil else { return }
        ordered = SIGKILL
        kill(-pid, SIGKILL)
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        end = .signalled(SIGKILL)
    }

    /// Whether it has ended by something that no program does on purpose.
    var hasCrashed: Bool {
        guard case .signalled(let number)? = end, number != ordered else { return false }
        return true
    }

    /// How it has ended, and the last that it has said, which is why.
    var lastWords: String {
        let said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        let last = said.split(separator: "\n").last.map { ": \($0)" } ?? ""
        return "\(name) has ended by \(end, default: "")\(last)"
    }

    /// A field of /proc/PID/status in KiB; 0 where there is none.
    func memory(_ field: String) -> Int {
        guard end == nil,
            let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") })
        else { return 0 }
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
