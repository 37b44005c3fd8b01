import Dispatch
import ProcessControl

/// Handles signals on a queue instead of in a signal handler, as long as it exists.
final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    /// Returns when the signals are watched for: until then they do what they did before.
    init(_ signals: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "progressbus.signals")
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            let isRegistered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isRegistered.signal() }
            source.resume()
            isRegistered.wait()
            #if canImport(Darwin)
            // On Linux the source has put a handler of its own there, which this would take away.
            signal(number, SIG_IGN)
            #endif
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
