import Foundation
import Synchronization
import Testing

@testable import ZeroMQ

/// A value that one thread owns.
private final class Ledger {
    var entries: [Int] = []
    let finished: WakeUp

    init(reportingTo finished: WakeUp) {
        self.finished = finished
    }
}

@Suite struct ThreadTests {
    @Test func `join returns after the body, also for several and later callers`() throws {
        let count = Count()
        let go = try WakeUp()
        let thread = try startThread(name: "worker") {
            var items: [PollItem] = [.descriptor(go.descriptor)]
            _ = try? poll(&items, timeout: patience)
            count.value.add(1, ordering: .relaxed)
        }
        let waiters = try (0..<4).map { index in
            try startThread(name: "waiter \(index)") {
                thread.join()
                count.seen.add(count.value.load(ordering: .relaxed), ordering: .relaxed)
            }
        }
        go.signal()
        for waiter in waiters { waiter.join() }
        thread.join()
        #expect(count.seen.load(ordering: .relaxed) == 4)
    }

    @Test func `a thread takes over what is not Sendable`() throws {
        let finished = try WakeUp()
        let ledger = Ledger(reportingTo: finished)
        ledger.entries.append(1)
        let thread = try startThread(name: "owner") {
            ledger.entries.append(2)
            if ledger.entries == [1, 2] { ledger.finished.signal() }
        }
        thread.join()
        var items: [PollItem] = [.descriptor(finished.descriptor)]
        #expect(try poll(&items, timeout: 0) == 1)
    }

    @Test func `a thread runs on without its handle`() throws {
        let ran = try WakeUp()
        _ = try startThread(name: "loose") { ran.signal() }
        var items: [PollItem] = [.descriptor(ran.descriptor)]
        #expect(try poll(&items, timeout: patience) == 1)
    }

    @Test func `signals of the host are blocked in the thread, and as before elsewhere`() throws {
        let before = blockedSignals()
        let blocked = Count()
        let thread = try startThread(name: "quiet") {
            for signal in [SIGTERM, SIGINT, SIGUSR1, SIGSEGV]
            where blockedSignals().contains(signal) {
                blocked.value.add(1, ordering: .relaxed)
            }
        }
        thread.join()
        #expect(blocked.value.load(ordering: .relaxed) == 3)
        #expect(blockedSignals() == before)
    }

    #if os(Linux)
    @Test func `the thread carries its name, cut to what Linux takes`() throws {
        let name = Name()
        let thread = try startThread(name: "progressbus-reports") {
            let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            name.text.withLock { $0 = text ?? "" }
        }
        thread.join()
        #expect(name.text.withLock { $0 } == "progressbus-rep\n")
    }
    #endif
}

private final class Count: Sendable {
    let value = Atomic(0)
    let seen = Atomic(0)
}

private final class Name: Sendable {
    let text = Mutex("")
}

/// The signals blocked in the calling thread.
private func blockedSignals() -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return (1..<32).filter { sigismember(&mask, $0) == 1 }
}
