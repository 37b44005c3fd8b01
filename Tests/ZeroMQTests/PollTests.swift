import Foundation
import Synchronization
import Testing

@testable import ZeroMQ

@Suite struct PollTests {
    let directory: SocketDirectory
    let context: ZeroMQContext

    init() throws {
        directory = try SocketDirectory()
        context = try ZeroMQContext()
    }

    @Test func `a poll ends after its time and marks nothing`() throws {
        let socket = try ZeroMQSocket(.dealer, in: context)
        let wakeUp = try WakeUp()
        var items = [socket.pollItem, .descriptor(wakeUp.descriptor)]
        let begin = ContinuousClock.now
        #expect(try poll(&items, timeout: 20) == 0)
        #expect(ContinuousClock.now - begin >= .milliseconds(19))
        #expect(items.allSatisfy { !$0.isReadable })
    }

    @Test func `a poll marks exactly what is readable, anew each time`() throws {
        let pair = try Pair(in: context, at: directory.address("control"))
        let wakeUp = try WakeUp()
        var items = [
            pair.dealer.pollItem, pair.router.pollItem, .descriptor(wakeUp.descriptor),
        ]
        #expect(try pair.dealer.send([[1]]))
        #expect(try poll(&items, timeout: patience) == 1)
        #expect(items.map(\.isReadable) == [false, true, false])
        _ = try pair.router.receive()
        wakeUp.signal()
        #expect(try poll(&items, timeout: patience) == 1)
        #expect(items.map(\.isReadable) == [false, false, true])
    }

    @Test func `another thread ends a poll by a wake-up`() throws {
        let wakeUp = try WakeUp()
        let thread = try startThread(name: "waker") { wakeUp.signal() }
        var items: [PollItem] = [.descriptor(wakeUp.descriptor)]
        #expect(try poll(&items, timeout: patience) == 1)
        #expect(items.map(\.isReadable) == [true])
        thread.join()
    }

    @Test func `signals before a drain count as one`() throws {
        let wakeUp = try WakeUp()
        for _ in 0..<1000 { wakeUp.signal() }
        wakeUp.drain()
        var items: [PollItem] = [.descriptor(wakeUp.descriptor)]
        #expect(try poll(&items, timeout: 0) == 0)
        wakeUp.drain()
        wakeUp.signal()
        #expect(try poll(&items, timeout: 0) == 1)
    }

    @Test func `shutting the context down ends a poll that waits for ever`() throws {
        let context = context
        let outcome = Outcome()
        let isPolling = try WakeUp()
        let thread = try startThread(name: "poller") {
            do throws(ZeroMQError) {
                let socket = try ZeroMQSocket(.dealer, in: context)
                var items = [socket.pollItem]
                isPolling.signal()
                _ = try poll(&items, timeout: -1)
            } catch {
                outcome.thrown.withLock { $0 = error }
            }
        }
        var items: [PollItem] = [.descriptor(isPolling.descriptor)]
        #expect(try poll(&items, timeout: patience) == 1)
        context.shutdown()
        thread.join()
        #expect(outcome.thrown.withLock { $0?.code } == ZeroMQError.contextTerminated)
    }

    #if os(Linux)
    @Test func `a signal ends a poll early, with nothing readable`() throws {
        signal(SIGUSR2) { _ in }
        let wakeUp = try WakeUp()
        let interrupted = Interrupted()
        let thread = try startThread(name: "interrupted") {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGUSR2)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            interrupted.thread.withLock { $0 = pthread_self() }
            var items: [PollItem] = [.descriptor(wakeUp.descriptor)]
            let ready = (try? poll(&items, timeout: patience)) ?? -1
            interrupted.ready.withLock { $0 = ready }
        }
        var none: [PollItem] = []
        let begin = ContinuousClock.now
        while interrupted.ready.withLock({ $0 }) == nil {
            // Until it waits, a signal finds it elsewhere: send another one.
            if let thread = interrupted.thread.withLock({ $0 }) { pthread_kill(thread, SIGUSR2) }
            _ = try poll(&none, timeout: 1)
        }
        thread.join()
        #expect(interrupted.ready.withLock { $0 } == 0)
        #expect(ContinuousClock.now - begin < .milliseconds(patience))
    }
    #endif

    @Test func `a hung-up descriptor counts as readable`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        close(ends[1])
        var items: [PollItem] = [.descriptor(ends[0])]
        #expect(try poll(&items, timeout: patience) == 1)
        #expect(items.map(\.isReadable) == [true])
    }

    @Test func `an item of a closed socket is refused`() throws {
        let socket = try ZeroMQSocket(.dealer, in: context)
        var items = [socket.pollItem]
        socket.close()
        let error = #expect(throws: ZeroMQError.self) { try poll(&items, timeout: 0) }
        #expect(error?.code == ZeroMQError.notASocket)
    }
}

/// What a thread threw.
private final class Outcome: Sendable {
    let thrown = Mutex<ZeroMQError?>(nil)
}

#if os(Linux)
/// A thread in a poll, and what the poll returned.
private final class Interrupted: Sendable {
    let thread = Mutex<pthread_t?>(nil)
    let ready = Mutex<Int?>(nil)
}
#endif
