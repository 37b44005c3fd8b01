import BusProtocol
import Essentials
import ProcessControl
import ZeroMQ

/// The process of a broker, as its lock file names it.
struct BrokerProcess {
    let pid: pid_t

    /// Reads the lock file; `nil` if no broker has written its pid there.
    init?(of endpoint: BusEndpoint) {
        guard let path = endpoint.lockPath, let data = FileManager.default.contents(atPath: path),
            let word = String(decoding: data.prefix(64), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).first,
            let pid = pid_t(word), pid > 0
        else { return nil }
        self.pid = pid
    }

    var isAlive: Bool { kill(pid, 0) == 0 || errno == EPERM }

    /// Whether a signal such as SIGSTOP, or a debugger, has stopped the process; false if unknown.
    var isStopped: Bool { ProcessFile.status(of: pid)?.isStopped == true }

    /// The end of a sentence that says that the broker is stopped and what to do.
    var stoppedWords: String { "is stopped; `kill -CONT \(pid)` lets it go on" }
}
