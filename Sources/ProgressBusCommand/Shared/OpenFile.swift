import ProcessControl

/// A file that is read or written in pieces; closed with its last reference.
final class OpenFile {
    /// Why a file cannot be used, in words of the system.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        /// The reason of the call that has just failed.
        static var last: Failure { Failure(description: String(cString: strerror(errno))) }
    }

    private let descriptor: Int32

    init(reading path: String) throws(Failure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
    }

    /// Creates an empty file, or empties an existing one.
    init(replacing path: String) throws(Failure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
    }

    deinit {
        close(descriptor)
    }

    /// The next bytes, at most `count`; none at the end.
    func read(upTo count: Int) throws(Failure) -> [UInt8] {
        guard let bytes = readBytes(from: descriptor, upTo: count) else { throw .last }
        return bytes
    }

    func write(_ text: String) throws(Failure) {
        guard writeBytes(text.utf8, to: descriptor) else { throw .last }
    }
}
