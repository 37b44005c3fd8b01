import BusProtocol
import CLibrary
import Synchronization
import TaskTree
import ZeroMQ

/// Serves a reporting session: one thread that owns the sockets and does what the machine decides.
///
/// While there is no broker it sleeps. For an ipc endpoint it opens no socket before the broker's
/// is there, and looks for that 50 times a second at first, 4 times a second later. It tries again
/// as often when the system refuses it something, such as a descriptor.
struct ReportingThread {
    private let reporter: Reporter
    private var endpoint: BusEndpoint
    private var wakeUp: WakeUp?
    private var search = Self.shortestSearch

    private static let shortestSearch = 20
    private static let longestSearch = 250
    /// Milliseconds until a broker that does not let this key in is asked again.
    private static let shortestPause = 2_000
    private static let longestPause = 30_000
    private var pauseAfterRefusal = Self.shortestPause
    /// When a broker that refused this key is asked again.
    private var refusedUntil: Moment?
    private static let spoolAttempts = 5
    /// Milliseconds between two attempts.
    private static let spoolPause = 50

    init(reporter: Reporter, endpoint: BusEndpoint) {
        self.reporter = reporter
        self.endpoint = endpoint
    }

    /// Runs until the session is over.
    mutating func run() {
        _ = canBeWoken()
        while let sockets = waitForBroker() {
            reporter.update { $0.connected(at: $1) }
            if serve(sockets) { break }
        }
        reporter.left()
    }

    /// Whether other threads can end its waits.
    private mutating func canBeWoken() -> Bool {
        guard wakeUp == nil else { return true }
        do throws(ZeroMQError) {
            let new = try WakeUp()
            wakeUp = new
            reporter.state.withLock { $0.wakeUp = { new.signal() } }
            return true
        } catch {
            complain(error)
            return false
        }
    }

    /// Sleeps until there is something to connect to; nil when the session is over before.
    private mutating func waitForBroker() -> ReportingSockets? {
        while true {
            let action = reporter.update { $0.next(at: $1) }
            guard case .wait(let until) = action else {
                guard !perform(action) else { continue }
                return nil
            }
            if canBeWoken(), mayAsk(), isThere(), let sockets = open() { return sockets }
            var items = wakeUp.map { [PollItem.descriptor($0.descriptor)] } ?? []
            let pause = until.map { min(search, $0.milliseconds(since: .present)) } ?? search
            search = min(2 * search, Self.longestSearch)
            _ = try? poll(&items, timeout: pause)
            wakeUp?.drain()
        }
    }

    private mutating func isThere() -> Bool {
        guard let path = endpoint.controlPath else { return true }
        guard access(path, F_OK) == 0 else { return false }
        do throws(EndpointError) {
            try endpoint.checkDirectory()
            return true
        } catch {
            reporter.warnOnce("Nothing is reported: \(error.sentence)")
            return false
        }
    }

    private mutating func open() -> ReportingSockets? {
        do throws(ZeroMQError) {
            return try ReportingSockets(endpoint: endpoint, in: try ZeroMQContext())
        } catch {
            complain(error)
            return nil
        }
    }

    /// Warns once that the system refuses something.
    private func complain(_ error: ZeroMQError) {
        reporter.warnOnce("Nothing is reported at present, which is tried again: \(error)")
    }

    /// Returns whether the session is over; else its sockets have failed.
    private mutating func serve(_ sockets: consuming ReportingSockets) -> Bool {
        while true {
            switch reporter.update({ $0.next(at: $1) }) {
            case .report(let report):
                let isTaken = sockets.send(report)
                reporter.update { $0.reportTaken(isTaken, at: $1) }
            case .control(let frame):
                let isTaken = sockets.send(frame)
                reporter.update { $0.controlTaken(isTaken, at: $1) }
            case .wait(let until):
                let pause = until?.milliseconds(since: .present) ?? -1
                do throws(ZeroMQError) {
                    try sockets.wait(for: wakeUp, milliseconds: pause)
                } catch {
                    complain(error)
                    reporter.update { $0.unsubscribed(at: $1) }
                    return false
                }
                sockets.drain(into: reporter.arrived)
                if let trouble = sockets.trouble {
                    refused(trouble)
                    return false
                }
            case let action:
                if perform(action) { continue }
                if reporter.isExiting.load(ordering: .acquiring) {
                    // The process is about to end and takes everything with it. Closing sockets now
                    // would race with what the C library takes down.
                    reporter.left()
                    while true { pause() }
                }
                // The sockets, consumed here, close; that takes as long as a last goodbye may.
                return true
            }
        }
    }

    /// Pauses because the broker refused this key: later it may accept it, or another broker may.
    private mutating func refused(_ trouble: String) {
        reporter.warnOnce("Nothing is reported at present, which is tried again: \(trouble)")
        reporter.update { $0.unsubscribed(at: $1) }
        let seconds = Double(pauseAfterRefusal) / 1_000
        refusedUntil = .present.advanced(bySeconds: seconds)
        pauseAfterRefusal = min(2 * pauseAfterRefusal, Self.longestPause)
    }

    private mutating func mayAsk() -> Bool {
        guard let until = refusedUntil else { return true }
        guard Moment.present >= until else { return false }
        refusedUntil = nil
        if let current = endpoint.current() { endpoint = current }
        return true
    }

    /// Does what needs no socket; false when the session is over.
    private func perform(_ action: ReportingMachine.Action) -> Bool {
        switch action {
        case .deliver(let delivery): reporter.deliver(delivery)
        case .finish(let waiter, let isDone): reporter.finish(waiter, isDone)
        case .spool(let words): leave(words)
        case .warn(let sentence): reporter.warn(sentence)
        case .report: reporter.update { $0.reportTaken(false, at: $1) }
        case .control: reporter.update { $0.controlTaken(false, at: $1) }
        case .wait: break
        case .leave: return false
        }
        return true
    }

    /// Writes the endings that no broker acknowledged into the spool, where the next broker finds
    /// them.
    private func leave(_ words: LastWords) {
        // A tcp endpoint has no directory, and its broker may be on another machine.
        guard let directory = endpoint.spoolPath else { return }
        let file = SpoolFile.encode(words.frames)
        // A process that has met no broker may well run without a bus: it tries once, in silence.
        let attempts = words.hadBroker ? Self.spoolAttempts : 1
        for attempt in 1...attempts {
            do throws(SpoolError) {
                try SpoolWriter.save(file, named: reporter.session.description, to: directory)
                break
            } catch {
                guard attempt == attempts else {
                    // There may be room, or a descriptor, in a moment.
                    var nothing: [PollItem] = []
                    _ = try? poll(&nothing, timeout: Self.spoolPause)
                    continue
                }
                guard words.hadBroker else { break }
                reporter.warn(
                    "What ended while the broker was away will not be shown: \(error.sentence)"
                )
            }
        }
        guard words.omitted > 0 else { return }
        reporter.warn(
            "\(words.omitted) endings will not be shown: so many had not been acknowledged when the "
                + "session ended that they did not fit into \(directory)."
        )
    }
}
