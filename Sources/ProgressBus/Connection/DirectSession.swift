package import BusProtocol
import Synchronization
package import TaskTree

/// The session of a client that speaks with a broker in this process: no thread, no socket.
///
/// Safe to use from any thread.
package struct DirectSession: Sendable {
    /// One frame that a session sends.
    package enum Frame: Sendable {
        case report(WireReport)
        case control(WireClientFrame)
    }

    private let reporter: Reporter
    /// Ticks without news that one `next()` runs through, enough for any waiter.
    private static let mostEmptyTicks = 4

    fileprivate init(_ reporter: Reporter) {
        self.reporter = reporter
    }

    /// The next thing that is due; `nil` when there is nothing at this moment.
    package func next() -> Frame? {
        var emptyTicks = 0
        while true {
            switch reporter.update({ $0.next(at: $1) }) {
            case .report(let report):
                reporter.update { $0.reportTaken(true, at: $1) }
                return .report(report)
            case .control(let frame):
                reporter.update { $0.controlTaken(true, at: $1) }
                return .control(frame)
            case .deliver(let delivery): reporter.deliver(delivery)
            case .finish(let waiter, let isDone): reporter.finish(waiter, isDone)
            case .warn(let sentence): reporter.warn(sentence)
            // The broker is gone, and no other comes.
            case .spool: break
            case .wait(let until):
                // A tick without news has ended: what waited for it may be due now.
                if let until, until <= reporter.clocks.present(), emptyTicks < Self.mostEmptyTicks {
                    emptyTicks += 1
                    continue
                }
                // No timer calls `next()` at that time: with `until` cleared, the next event calls
                // `serve` if anything is due, now or later.
                reporter.state.withLock { $0.machine.sleep?.until = nil }
                return nil
            case .leave:
                reporter.left()
                return nil
            }
        }
    }

    /// Takes an answer of the broker.
    package func receive(_ frame: WireBrokerFrame) {
        reporter.arrived { $0.received(frame, at: $1) }
    }
}

extension BusClient {
    /// Makes a client of a broker in this process, by the broker's clock; `serve` is called, from
    /// any thread, when the session has something to say at once.
    package static func direct(
        present: @escaping @Sendable () -> Moment,
        unixOffset: Double,
        serve: @escaping @Sendable () -> Void
    ) -> (client: BusClient, session: DirectSession) {
        let reporter = Reporter(
            identity: .ofThisProcess(program: ProcessFacts.executableName),
            endpoint: nil,
            tickNanoseconds: 0,
            warnsOfMistakes: false,
            clocks: SessionClocks(present: present, unixOffset: { unixOffset })
        )
        reporter.serveDirectly(serve)
        let client = BusClient(reporter: reporter, environment: [:], isOfEnvironment: true)
        return (client, DirectSession(reporter))
    }
}
