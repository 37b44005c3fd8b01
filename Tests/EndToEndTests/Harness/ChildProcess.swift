import Foundation
import ProcessControl
import Synchronization

/// A process that a test has started, with all it has said.
///
/// Its output goes to files, so that it never waits for a reader. Nothing here blocks. Safe to use
/// from any thread.
final class ChildProcess: Sendable {
    enum End: Hashable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case signalled(Int32)

        fileprivate init(waitStatus: Int32) {
            switch ProcessEnd(waitStatus: waitStatus) {
            case .exited(let status): self = .exited(status)
            case .signalled(let number): self = .signalled(number)
            }
        }

        var description: String {
            switch self {
            case .exited(let status): "exit \(status)"
            case .signalled(let number): "signal \(number)"
            }
        }
    }

    private struct State {
        var input: Int32?
        var end: End?
    }

    /// What it is, for a reader of failures: the program and its arguments.
    let name: String
    let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    private let state: Mutex<State>

    init(_ request: ProgramStart) throws {
        let program = (request.path as NSString).lastPathComponent
        name = ([program] + request.arguments).joined(separator: " ")
        outputPath = request.outputPath
        errorPath = request.errorPath
        let (pid, input) = try Spawning.start(request)
        self.pid = pid
        state = Mutex(State(input: input))
    }

    /// How it has ended; nil while it runs.
    ///
    /// Until this has returned an end the pid belongs to this process and nobody else.
    @discardableResult func endIfAny() -> End? {
        state.withLock { state in
            if let end = state.end { return end }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            state.end = End(waitStatus: status)
            return state.end
        }
    }

    /// Sends it a signal; nothing once its end is known.
    func send(_ number: Int32) {
        state.withLock { state in
            guard state.end == nil else { return }
            kill(pid, number)
        }
    }

    /// Writes to its standard input; a process that no longer reads is no error here.
    func write(_ text: String) {
        state.withLock { state in
            guard let input = state.input else { return }
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    Foundation.write(input, $0.baseAddress, $0.count)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    /// Tells it that its standard input has ended.
    func closeInput() {
        state.withLock { state in
            if let input = state.input { close(input) }
            state.input = nil
        }
    }

    /// What it has written to standard output so far.
    var output: String {
        Self.contents(of: outputPath)
    }

    /// What it has written to standard error so far.
    var errorOutput: String {
        Self.contents(of: errorPath)
    }

    /// The whole lines of its standard output so far.
    var outputLines: [Substring] {
        let text = output
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // What follows the last line feed is empty, or a line that is still being written.
        lines.removeLast()
        return lines
    }

    /// Kills it and what it has started in its group, and collects it; for the end of a test.
    func destroy() {
        closeInput()
        state.withLock { state in
            guard state.end == nil else { return }
            kill(-pid, SIGKILL)
            kill(pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            state.end = .signalled(SIGKILL)
        }
    }

    private static func contents(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

extension ChildProcess {
    /// Waits for its end.
    ///
    /// - Throws: `NeverHappened` if it still runs after all patience.
    @discardableResult func end(within patience: Duration = .seconds(30)) async throws -> End {
        try await eventually("\(name) ends", within: patience, every: .milliseconds(3)) {
            self.endIfAny()
        }
    }

    /// Ends its input and waits for its end.
    @discardableResult func finish(within patience: Duration = .seconds(30)) async throws -> End {
        closeInput()
        return try await end(within: patience)
    }
}
