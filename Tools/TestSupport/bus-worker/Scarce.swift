import Foundation
import ProgressBus

/// A process that has no descriptor to spare when it begins to report, and has some later.
///
/// `scarce FREE`: so many files may be opened beside those that are. Begins a job, says `begun`, and
/// waits for a line; then the limit is as before, and it waits for another one to end the job.
enum Scarce {
    static func run(_ arguments: [String]) async {
        guard let free = arguments.first.flatMap({ Int($0) }), free >= 0 else { exit(64) }
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { exit(71) }
        // Dispatch opens descriptors for the main queue and for its timers when they are first
        // waited for, and ends the process (SIGILL) where it gets none.
        await MainActor.run {}
        try? await Task.sleep(for: .milliseconds(50))
        let former = limit
        // The lowest number that is free is the next one to be given out.
        let next = dup(STDIN_FILENO)
        close(next)
        limit.rlim_cur = rlim_t(Int(next) + free)
        guard setrlimit(resource, &limit) == 0 else { exit(71) }

        let bus = BusClient()
        let job = bus.beginJob("Scarce \(free)", total: 3)
        job.beginChild("Over").succeed()
        FileHandle.standardOutput.write(Data("begun\n".utf8))
        _ = readLine()
        limit = former
        guard setrlimit(resource, &limit) == 0 else { exit(71) }
        job.advance()
        _ = readLine()
        job.succeed()
        let isAcknowledged = await bus.close(timeout: .seconds(20))
        FileHandle.standardOutput.write(Data("acknowledged \(isAcknowledged)\n".utf8))
    }
}
