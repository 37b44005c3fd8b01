#if os(Linux)
import CLibrary
import CZeroMQ
#endif

/// Learns from the kernel that processes have ended, which need not be children of this one.
///
/// Linux only: a pidfd for each process, and one epoll descriptor to wait for all of them. libzmq
/// gives the pid of a peer on Linux alone, so elsewhere nothing can be watched and nothing is.
/// Belongs to one thread.
package struct ProcessWatch: ~Copyable {
    /// Whether a process can be watched.
    package enum Beginning: Equatable {
        case watched
        /// It has ended already.
        case ended
        /// Another process has the pid, it lives in another pid namespace, or nothing more can be
        /// opened.
        case refused
    }

    private let ends = ArrivalWatch()
    private var descriptors: [Int32: Int32] = [:]
    private let namespace = ProcessFile.pidNamespace()

    package init() {}

    deinit {
        for process in descriptors.values { close(process) }
    }

    /// Readable when a process has ended that nobody has been told about; nil where nothing can be
    /// watched.
    package var pollItem: PollItem? { ends.pollItem }

    /// How many processes hold a descriptor.
    package var count: Int { descriptors.count }

    /// Begins to watch the process that has this pid here and began at this time.
    package mutating func add(_ pid: Int32, startTime: UInt64) -> Beginning {
        #if os(Linux)
        guard pid > 0, descriptors[pid] == nil else { return .refused }
        // First the descriptor, then the looks: what is seen now is what the descriptor stands for,
        // or that has ended.
        let process = open_process(pid)
        guard process >= 0 else { return errno == ESRCH ? .ended : .refused }
        guard let status = ProcessFile.status(of: pid) else {
            close(process)
            return .ended
        }
        // A process that has ended is in no namespace any more.
        guard status.startTime == startTime,
            ProcessFile.pidNamespace(of: pid) == namespace
                || ProcessFile.status(of: pid)?.hasEnded != false
        else {
            close(process)
            return .refused
        }
        // Once: its last word is that it has ended.
        guard ends.add(process, as: pid, EPOLLONESHOT) else {
            close(process)
            return .refused
        }
        descriptors[pid] = process
        return .watched
        #else
        return .refused
        #endif
    }

    /// The pids of processes that have ended, each told once; they stay open until `remove`.
    package func takeEnded() -> [Int32] { ends.takeArrived() }

    /// How a process that has ended did so, as waitpid(2) gives it; nil where nobody says.
    ///
    /// While its parent has not waited for it the process table knows; afterwards, from Linux 6.15
    /// on, the descriptor does.
    package func exitStatus(of pid: Int32, startTime: UInt64) -> Int32? {
        #if os(Linux)
        if let status = ProcessFile.status(of: pid), status.startTime == startTime {
            return status.exitStatus
        }
        guard let process = descriptors[pid] else { return nil }
        var status: Int32 = 0
        return status_of_ended_process(process, &status) == 0 ? status : nil
        #else
        return nil
        #endif
    }

    /// Forgets a process.
    package mutating func remove(_ pid: Int32) {
        if let process = descriptors.removeValue(forKey: pid) { close(process) }
    }
}
