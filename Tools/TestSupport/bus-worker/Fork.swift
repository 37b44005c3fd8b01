import Foundation
import ProgressBus

/// A worker that forks in the midst of its work, as programs do that know nothing of the bus.
///
/// `bus-worker fork END`: begins a job of ten units, forks after three, and lets the child use what
/// it has inherited and end by `_exit`, `exit`, `return` (from `main`) or `SIGKILL`; with `client`
/// the child makes a client of its own and reports a job by it. The parent waits for it, does the
/// rest and closes. Prints whether everything was acknowledged.
enum Fork {
    static func work(_ arguments: [String]) async {
        guard let end = arguments.first else { exit(64) }
        let bus = BusClient()
        let job = bus.beginJob("Copy the archive", total: 10)
        let part = job.beginChild("Copy the index", share: 5, total: 4)
        job.advance(by: 3)
        part.advance()
        _ = await bus.sync()
        let child = fork()
        if child == 0 {
            inChild(end, bus: bus, job: job, part: part)
            return
        }
        guard child > 0 else { exit(71) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        job.advance(by: 2)
        part.advance(by: 3)
        part.succeed()
        let isThere = await bus.sync()
        // Long enough for a goodbye of the child to arrive, if it said one.
        try? await Task.sleep(for: .milliseconds(300))
        job.succeed()
        let isAcknowledged = await bus.close(timeout: .seconds(30))
        print(#"{"acknowledged":\#(isThere && isAcknowledged),"child":\#(status)}"#)
    }

    private static func inChild(
        _ end: String,
        bus: BusClient,
        job: ProgressTask,
        part: ProgressTask
    ) {
        // Everything that a task can be told; none of it may reach the broker.
        job.advance(by: 7)
        job.setDetail("the child speaks")
        job.log("the child speaks")
        part.fail("the child speaks")
        job.beginChild("Never to be seen").succeed()
        bus.beginJob("Never to be seen").fail("the child speaks")
        job.fail("the child speaks")
        switch end {
        case "_exit": _exit(0)
        case "exit": exit(0)
        case "SIGKILL": kill(getpid(), SIGKILL)
        case "client":
            let own = BusClient()
            let task = own.beginJob("Copy the backup", total: 1)
            task.advance()
            task.succeed()
            // The hook at exit has 100 ms for it.
            exit(0)
        default: break
        }
    }

    /// The C library's fork, which Swift hides: only the calling thread goes on in the child.
    private static func fork() -> pid_t {
        typealias Call = @convention(c) () -> pid_t
        // nil means the default search order (RTLD_DEFAULT) where handles are pointers.
        #if canImport(Darwin)
        let handle = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let handle: UnsafeMutableRawPointer? = nil
        #endif
        guard let symbol = dlsym(handle, "fork") else { return -1 }
        return unsafeBitCast(symbol, to: Call.self)()
    }
}
