import CLibrary
import CZeroMQ

/// A call of libzmq or of the system that failed, with its error number.
///
/// It may hold any number; those that this package asks for have names here.
package struct ZeroMQError: Error, Equatable {
    /// The number, one of the system's `errno` values or of libzmq's own.
    package let code: Int32
    /// The function that failed, as the manual calls it.
    package let call: String
    /// What it was about: an address, an option; nil where the function says enough.
    package let subject: String?

    package init(code: Int32, call: String, subject: String? = nil) {
        self.code = code
        self.call = call
        self.subject = subject
    }

    /// Cannot be done without waiting (`EAGAIN`).
    package static let again = EAGAIN
    /// No connection has that route (`EHOSTUNREACH`).
    package static let hostUnreachable = EHOSTUNREACH
    /// The context was shut down (`ETERM`).
    package static let contextTerminated = ETERM
    /// Somebody listens at that address already (`EADDRINUSE`).
    package static let addressInUse = EADDRINUSE
    /// A signal came first (`EINTR`).
    package static let interrupted = EINTR
    /// The socket is closed (`ENOTSOCK`).
    package static let notASocket = ENOTSOCK
    /// There is no such file or directory (`ENOENT`).
    package static let noSuchFile = ENOENT
    /// Nobody listens there any more (`ECONNREFUSED`).
    package static let connectionRefused = ECONNREFUSED
    /// The path is too long for a socket (`ENAMETOOLONG`).
    package static let nameTooLong = ENAMETOOLONG
    /// The process or its context has no room for another socket (`EMFILE`).
    package static let tooManyOpenFiles = EMFILE
    /// The address or a value is not well-formed (`EINVAL`).
    package static let invalidArgument = EINVAL
    /// The address names no transport of libzmq (`EPROTONOSUPPORT`).
    package static let protocolNotSupported = EPROTONOSUPPORT
}

extension ZeroMQError: CustomStringConvertible {
    /// One sentence: what failed, why, and what to do where that is known.
    package var description: String {
        let place = subject.map { " (\($0))" } ?? ""
        let advice = Self.advice[code].map { "; \($0)" } ?? ""
        return "\(call)\(place) failed: \(Calls.text(of: code))\(advice)"
    }

    private static let advice: [Int32: String] = [
        addressInUse: "stop the process that listens there, or use another endpoint",
        EADDRNOTAVAIL: "use an address of this machine",
        noSuchFile: "create the directory of the endpoint first",
        EACCES: "use an endpoint that belongs to this user",
        nameTooLong: "use a directory with a shorter path",
        tooManyOpenFiles: "raise the limit of open files (ulimit -n)",
        invalidArgument: "write addresses as ipc:///directory/socket or tcp://host:port",
        protocolNotSupported: "write addresses as ipc:///directory/socket or tcp://host:port",
        notASocket: "open a new one",
    ]
}
