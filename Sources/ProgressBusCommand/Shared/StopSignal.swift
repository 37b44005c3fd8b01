import Dispatch
import Synchronization
import ZeroMQ

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells running work to end early; callable from any thread.
///
/// The first reason counts.
final class StopSignal: Sendable {
    /// Why work ends early.
    enum Reason: Equatable, Sendable {
        /// SIGINT or SIGTERM.
        case signal(Int32)
        /// Somebody who looks at the bus has asked for it.
        case cancelled
        /// Nobody reads what is printed.
        case outputClosed
    }

    private let first = Mutex<Reason?>(nil)
    private let wakeUp: WakeUp

    init() throws(ZeroMQError) {
        wakeUp = try WakeUp()
    }

    /// Why, once somebody has asked.
    var reason: Reason? { first.withLock { $0 } }

    /// Becomes readable with the first reason and stays so; for poll(2).
    var descriptor: Int32 { wakeUp.descriptor }

    func stop(_ reason: Reason) {
        first.withLock { $0 = $0 ?? reason }
        wakeUp.signal()
    }

    /// Turns SIGINT and SIGTERM into a reason; from now on they do not end the process.
    func watchSignals() -> SignalWatch {
        SignalWatch([SIGINT, SIGTERM]) { self.stop(.signal($0)) }
    }
}

/// Handles signals on a queue instead of in a signal handler, as long as it exists.
final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    init(_ signals: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "progressbus.signals")
        sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
