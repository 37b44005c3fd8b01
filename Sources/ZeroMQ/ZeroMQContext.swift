import CZeroMQ

/// The I/O threads of libzmq and the sockets that share them.
///
/// Safe to use from any thread. Sockets keep their context alive; when the last reference goes,
/// the context terminates, which takes at most the longest linger time of its sockets (0 unless
/// one was set).
package final class ZeroMQContext: Sendable {
    // A libzmq context may be used from any thread ("zmq_ctx_new": thread safe), and the handle
    // never changes.
    nonisolated(unsafe) let handle: Calls.Handle

    /// Starts a context; `maxSockets` may be open at a time, by libzmq's own limit 1,023.
    ///
    /// Throws where the process has no room for another context: libzmq 4.3.4 would end it.
    package init(ioThreads: Int = 1, maxSockets: Int? = nil) throws(ZeroMQError) {
        try DescriptorLimit.requireRoom(for: 10 + 2 * max(1, ioThreads))
        handle = try Calls.newContext()
        // From here on the object is whole: a throw runs deinit, which terminates the context.
        try Calls.set(ZMQ_IO_THREADS, to: Int32(clamping: ioThreads), in: handle)
        if let maxSockets {
            try Calls.set(ZMQ_MAX_SOCKETS, to: Int32(clamping: maxSockets), in: handle)
        }
    }

    deinit {
        Calls.terminate(handle)
    }

    /// Makes every waiting and, within some milliseconds, every later call on the sockets throw
    /// `contextTerminated`.
    ///
    /// Closing is still left to the sockets' owners. Calling it again does nothing.
    package func shutdown() {
        Calls.shutDown(handle)
    }
}
