#if os(Linux)
import Foundation
import Testing

@testable import ZeroMQ

/// What `#expect` can look into: it copies what it is given.
private final class Watch {
    private var watch = ProcessWatch()

    var pollItem: PollItem? { watch.pollItem }
    var count: Int { watch.count }
    func add(_ pid: pid_t, startTime: UInt64) -> ProcessWatch.Beginning {
        watch.add(pid, startTime: startTime)
    }
    func takeEnded() -> [pid_t] { watch.takeEnded() }
    func exitStatus(of pid: pid_t, startTime: UInt64) -> Int32? {
        watch.exitStatus(of: pid, startTime: startTime)
    }
    func remove(_ pid: pid_t) { watch.remove(pid) }
}

@Suite("The ends of processes")
struct ProcessWatchTests {
    /// A shell that runs these commands; the caller collects it.
    private func start(_ commands: String) throws -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = []
        for word in ["sh", "-c", commands] { arguments.append(strdup(word)) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ)
        try #require(code == 0)
        return pid
    }

    private func collect(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    private func startTime(of pid: pid_t) throws -> UInt64 {
        try #require(ProcessFile.status(of: pid)?.startTime)
    }

    @Test("An end is told once, with the status, before and after somebody has waited for it")
    func told() throws {
        let watch = Watch()
        let pid = try start("exec sleep 600")
        let began = try startTime(of: pid)
        #expect(watch.add(pid, startTime: began) == .watched)
        kill(pid, SIGKILL)
        guard let item = watch.pollItem else {
            Issue.record("nothing can be watched")
            return
        }
        var items = [item]
        #expect(try poll(&items, timeout: patience) == 1)
        #expect(watch.takeEnded() == [pid])
        #expect(watch.takeEnded() == [])
        #expect(try poll(&items, timeout: 0) == 0)
        #expect(watch.exitStatus(of: pid, startTime: began) == SIGKILL)
        let status = collect(pid)
        // Known from Linux 6.15 on.
        let known = watch.exitStatus(of: pid, startTime: began)
        #expect(known == nil || known == status)
        watch.remove(pid)
        #expect(watch.count == 0)
    }

    @Test("A process that has ended and was waited for, or not: told as ended")
    func endedBefore() throws {
        let watch = Watch()
        let pid = try start("exit 3")
        let began = try startTime(of: pid)
        // A pidfd would announce it, which is what is tested here.
        while ProcessFile.status(of: pid)?.hasEnded != true { usleep(1_000) }
        #expect(watch.add(pid, startTime: began) == .watched)
        #expect(watch.takeEnded() == [pid])
        #expect(watch.exitStatus(of: pid, startTime: began) == 3 << 8)
        watch.remove(pid)
        _ = collect(pid)
        #expect(watch.add(pid, startTime: began) == .ended)
    }

    @Test("A process that began at another time is another process")
    func anotherProcess() throws {
        let watch = Watch()
        let own = try startTime(of: getpid())
        #expect(watch.add(getpid(), startTime: own + 1) == .refused)
        #expect(watch.add(0, startTime: own) == .refused)
        #expect(watch.add(-1, startTime: own) == .refused)
        #expect(watch.add(getpid(), startTime: own) == .watched)
        #expect(watch.add(getpid(), startTime: own) == .refused, "it is watched already")
        #expect(watch.takeEnded() == [] && watch.count == 1)
    }

    @Test("A name with blanks and parentheses does not move the fields")
    func oddName() throws {
        let directory = try SocketDirectory()
        let path = directory.path("a) Z 1 (")
        // A copy could not be run while a process that another test starts has it open for writing.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/sleep")
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup("10"), nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        try #require(posix_spawn(&pid, path, nil, nil, &arguments, environ) == 0)
        defer { _ = collect(pid) }
        let status = try #require(ProcessFile.status(of: pid))
        #expect(!status.hasEnded && status.exitStatus == nil)
        #expect(status.startTime >= (try startTime(of: getpid())))
        kill(pid, SIGKILL)
    }
}
#endif
