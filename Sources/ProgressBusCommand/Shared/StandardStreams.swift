import ChildProcesses
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Nobody reads standard output any more; the command ends quietly.
struct OutputClosed: Error {}

/// Standard output and standard error, line by line and without buffering.
enum StandardStreams {
    private static let outputLock = Mutex<Void>(())

    /// What this process did with signals when it began; asked for before anything changes it.
    static let startingHabits = SignalHabits.present()

    /// Lets a write to a closed pipe fail instead of ending the process without a word to anybody.
    static func ignoreBrokenPipes() {
        _ = startingHabits
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes one line to standard output; lines of several threads do not mix.
    ///
    /// - Throws: `OutputClosed` if the line cannot be written, because nobody reads any more.
    static func print(_ line: String) throws(OutputClosed) {
        let isWritten = outputLock.withLock { _ in writeAll(line + "\n", to: STDOUT_FILENO) }
        guard isWritten else { throw OutputClosed() }
    }

    /// Writes one line to standard error; where that is closed there is nobody to tell.
    static func complain(_ line: String) {
        _ = writeAll("progressbus: " + line + "\n", to: STDERR_FILENO)
    }

    /// Writes a question to standard error, without a line's end.
    static func ask(_ question: String) {
        _ = writeAll(question, to: STDERR_FILENO)
    }

    private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeBufferPointer(rebasing: rest).baseAddress
                let count = write(descriptor, start, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // A terminal or pipe that somebody has set to non-blocking.
                    var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&item, 1, -1)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}
