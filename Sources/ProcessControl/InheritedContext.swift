import CProcessControl

/// What this process was started with, byte for byte.
package enum InheritedContext {
    /// The environment variables; no thread may change them meanwhile.
    package static var environment: EnvironmentBlock {
        var entries: [SystemString] = []
        guard var next = process_environment() else { return EnvironmentBlock() }
        while let entry = next.pointee {
            entries.append(SystemString(copying: entry))
            next += 1
        }
        return EnvironmentBlock(entries: entries)
    }

    /// The last so many words of the command line.
    package static func lastArguments(_ count: Int) -> [SystemString] {
        let all = CommandLine.unsafeArgv
        let end = Int(CommandLine.argc)
        return (max(end - count, 0)..<end).compactMap { index in
            all[index].map { SystemString(copying: $0) }
        }
    }

    /// Descriptors beyond the standard ones that a program started now would inherit.
    package static var furtherDescriptors: [Int32] {
        #if os(Linux)
        return (numbersOfFiles(in: "/proc/self/fd") ?? []).filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            return descriptor > STDERR_FILENO && flags >= 0 && flags & FD_CLOEXEC == 0
        }
        #else
        return []
        #endif
    }

    /// Opens `/dev/null` in the place of standard descriptors that are closed.
    ///
    /// Otherwise the next file that this process opens would take their place.
    package static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) takes the lowest free number: this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        }
    }

    /// Whether this process has a controlling terminal, which may send it signals.
    package static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }
}
