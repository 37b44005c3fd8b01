import CLibrary

/// What Linux says about processes in `/proc`; empty or nil elsewhere.
package enum ProcessFile {
    /// The id of this boot of the machine; empty where the system gives none.
    package static var bootID: String {
        guard let text = contents(of: "/proc/sys/kernel/random/boot_id") else { return "" }
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// The pid namespace of a process; empty if it is not known.
    ///
    /// nil means this process. A process that has ended has no namespace.
    package static func pidNamespace(of pid: Int32? = nil) -> String {
        #if os(Linux)
        let path = "/proc/\(pid.map(String.init) ?? "self")/ns/pid"
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let count = readlink(path, start, buffer.count)
            guard count > 0 else { return "" }
            return String(
                decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
        }
        #else
        return ""
        #endif
    }

    /// One process as its `stat` file has it.
    package struct Status {
        /// Whether it has ended and nobody has waited for it yet.
        package var hasEnded: Bool
        /// Whether a signal, as SIGSTOP, or a debugger has stopped it.
        package var isStopped: Bool
        /// When it began, in clock ticks since the machine was booted.
        package var startTime: UInt64
        /// How it ended, as waitpid(2) gives it; nil while it runs or where it may not be known.
        package var exitStatus: Int32?
    }

    /// A process by its pid; nil is this one.
    package static func status(of pid: Int32? = nil) -> Status? {
        guard let text = contents(of: "/proc/\(pid.map(String.init) ?? "self")/stat"),
            // The second field is a name that may hold anything, parentheses and blanks too.
            let nameEnd = text.lastIndex(of: ")")
        else { return nil }
        // So the first one here is the third of proc(5).
        let fields = text[text.index(after: nameEnd)...].split { $0 == " " || $0 == "\n" }
        guard fields.count > 19, let startTime = UInt64(fields[19]) else { return nil }
        let hasEnded = fields[0] == "Z" || fields[0] == "X"
        let isStopped = fields[0] == "T" || fields[0] == "t"
        var status = Status(hasEnded: hasEnded, isStopped: isStopped, startTime: startTime)
        if hasEnded, fields.count > 49 { status.exitStatus = Int32(fields[49]) }
        return status
    }

    private static func contents(of path: String) -> String? {
        #if os(Linux)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
        #else
        return nil
        #endif
    }
}
