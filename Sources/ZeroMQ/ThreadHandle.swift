import CLibrary
import Synchronization

#if os(Linux)
import CZeroMQ
#endif

/// A thread of its own, for a loop that blocks.
///
/// Swift's cooperative pool must not wait in `poll`. Dropping the handle lets the thread run on.
package final class ThreadHandle: Sendable {
    private let running: Mutex<pthread_t?>

    fileprivate init(_ thread: sending pthread_t) {
        running = Mutex(thread)
    }

    deinit {
        running.withLock { thread in
            if let thread {
                pthread_detach(thread)
            }
        }
    }

    /// Waits until the thread has ended; returns at once if it was waited for before.
    ///
    /// From any thread but itself.
    package func join() {
        running.withLock { thread in
            guard let running = thread else { return }
            precondition(pthread_equal(running, pthread_self()) == 0, "a thread cannot join itself")
            pthread_join(running, nil)
            thread = nil
        }
    }
}

/// Starts a thread with a name of at most 15 bytes; throws if the system has no room for it.
///
/// Signals that the host handles never arrive on it: all are blocked but those of a fault in the
/// thread itself. A process started from it inherits that mask.
package func startThread(
    name: String,
    stackSize: Int = 2 << 20,
    _ body: sending @escaping () -> Void
) throws(ZeroMQError) -> ThreadHandle {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, max(stackSize, 64 << 10))

    // A new thread inherits the mask of its creator.
    let formerMask = blockSignals()
    defer { restore(formerMask) }

    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, &attributes, threadMain, start.toOpaque())
    #if canImport(Darwin)
    let created = thread
    #else
    let created: pthread_t? = thread
    #endif
    guard code == 0, let created else {
        start.release()
        throw ZeroMQError(code: code, call: "pthread_create", subject: name)
    }
    return ThreadHandle(created)
}

/// The name and the work of a new thread, on their way to it.
private final class ThreadStart {
    let name: String
    let body: () -> Void

    init(name: String, body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        #if canImport(Darwin)
        pthread_setname_np(name)
        #elseif os(Linux)
        name_calling_thread(name)
        #endif
        body()
    }
}

#if canImport(Darwin)
private func threadMain(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().run()
    return nil
}
#else
private func threadMain(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start else { return nil }
    Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().run()
    return nil
}
#endif

/// Blocks the signals that the host may handle, for the calling thread; returns the former mask.
private func blockSignals() -> sigset_t {
    var blocked = sigset_t()
    var former = sigset_t()
    sigfillset(&blocked)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] {
        sigdelset(&blocked, fault)
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &former)
    return former
}

private func restore(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
}
