#if os(Linux)
import CLibrary
import CZeroMQ
#endif

/// Learns from the kernel that processes have ended, whether or not they are its children.
///
/// Linux only: a pidfd for each process, and one epoll descriptor to wait for all of them. libzmq
/// gives the pid of a peer only on Linux, so elsewhere no process is watched. Belongs to one
/// thread.
package struct ProcessWatch: ~Copyable {
    /// Whether a process can be watched.
    package enum Beginning: Equatable {
        case watched
        /// It has ended already.
        case ended
        /// Another process has the pid, it lives in another pid namespace, it is watched already,
        /// or no descriptor can be opened for it.
        case refused
    }

    private let ends = ArrivalWatch()
    private var descriptors: [Int32: Int32] = [:]
    private let namespace = ProcessFile.pidNamespace()

    package init() {}

    deinit {
        for process in descriptors.values { close(process) }
    }

    /// Readable while `takeEnded` has something to return; nil where nothing can be watched.
    package var pollItem: PollItem? { ends.pollItem }

    /// How many processes hold a descriptor.
    package var count: Int { descriptors.count }

    /// Begins to watch the process that has this pid here and began at this time.
    package mutating func add(_ pid: Int32, startTime: UInt64) -> Beginning {
        #if os(Linux)
        guard pid > 0, descriptors[pid] == nil else { return .refused }
        // First opens the descriptor, then checks the process: either the check sees the process of
        // the descriptor, or that process has ended.
        let process = open_process(pid)
        guard process >= 0 else { return errno == ESRCH ? .ended : .refused }
        guard let status = ProcessFile.status(of: pid) else {
            close(process)
            return .ended
        }
        // A process that has ended has no namespace any more, so that only its start time counts.
        guard status.startTime == startTime,
            ProcessFile.pidNamespace(of: pid) == namespace
                || ProcessFile.status(of: pid)?.hasEnded != false
        else {
            close(process)
            return .refused
        }
        // EPOLLONESHOT: a process ends only once.
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

    /// The pids of processes that have ended, each once; their descriptors stay open until
    /// `remove`.
    package func takeEnded() -> [Int32] { ends.takeArrived() }

    /// The status of a process that has ended, as waitpid(2) gives it; nil if it is not known.
    ///
    /// Until the parent has waited for the process, `/proc` has the status; afterwards, from Linux
    /// 6.15 on, the descriptor has it.
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
