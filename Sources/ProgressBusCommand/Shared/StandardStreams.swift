import ProcessControl
import Synchronization

/// Nobody reads standard output any more; the command ends quietly.
struct OutputClosed: Error {}

/// Standard output and standard error, line by line and without buffering.
enum StandardStreams {
    private static let outputLock = Mutex<Void>(())

    /// The signal dispositions with which this process began, read before anything changes them.
    static let startingHabits = SignalDispositions.present()

    /// Lets a write to a closed pipe fail instead of ending the process without a word to anybody.
    static func ignoreBrokenPipes() {
        _ = startingHabits
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes one line to standard output; lines of several threads do not mix.
    ///
    /// - Throws: `OutputClosed` if nobody reads any more, exit code 74 if it cannot be written.
    static func print(_ line: String) throws {
        let code = outputLock.withLock { _ in
            writeBytes((line + "\n").utf8, to: STDOUT_FILENO) ? 0 : errno
        }
        if code == EPIPE { throw OutputClosed() }
        guard code == 0 else {
            let reason = String(cString: strerror(code))
            throw CommandFailure(.outputLost, "standard output cannot be written: \(reason)")
        }
    }

    /// Writes one line to standard error; does nothing if that is closed.
    static func complain(_ line: String) {
        _ = writeBytes("progressbus: \(line)\n".utf8, to: STDERR_FILENO)
    }
}
