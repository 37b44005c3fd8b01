/// How a process has ended.
package enum ProcessEnd: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    /// Reads the wait status of a process that has ended.
    package init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }

    /// Waits for the end of a child of this process; blocks the thread.
    ///
    /// Exit status 0 if it is no child, or was waited for already.
    @discardableResult
    package static func wait(for child: pid_t) -> ProcessEnd {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return ProcessEnd(waitStatus: status)
    }

    package var description: String {
        switch self {
        case .exited(let status): "exit \(status)"
        case .signalled(let number): "signal \(number)"
        }
    }

    /// What a shell makes of it: the status, or 128 plus the signal.
    package var shellStatus: Int32 {
        switch self {
        case .exited(let status): status
        case .signalled(let number): 128 + number
        }
    }
}

/// What has become of a process, as waitpid(2) tells it.
package enum ProcessChange: Hashable, Sendable {
    case ended(ProcessEnd)
    /// By this signal; it goes on with SIGCONT.
    case stopped(Int32)
    case continued

    /// Reads a wait status; the macros for it are not imported into Swift.
    package init(waitStatus: Int32) {
        if waitStatus & 0xffff == 0xffff {
            self = .continued
        } else if waitStatus & 0xff == 0x7f {
            self = .stopped((waitStatus >> 8) & 0xff)
        } else {
            self = .ended(ProcessEnd(waitStatus: waitStatus))
        }
    }
}
