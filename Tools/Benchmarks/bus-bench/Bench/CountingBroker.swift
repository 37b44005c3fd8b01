import BusProtocol
import Foundation
import Synchronization
import ZeroMQ

/// A broker that acknowledges everything and counts what comes: what it costs is not the broker's.
final class CountingBroker: Sendable {
    struct Counts {
        var reports = 0
        var endings = 0
        /// Of both.
        var bytes = 0
    }

    let endpoint: String
    private let directory: String
    private let state = Mutex(Counts())
    private let isStopping = Atomic(false)

    init() throws {
        directory = try newDirectory()
        endpoint = "ipc://\(directory)"
        let address = try BusEndpoint.resolve(explicit: endpoint, environment: [:]).endpoint
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            do {
                try serve(address) { ready.signal() }
            } catch {
                fail(69, "the counting broker: \(error)")
            }
            try? FileManager.default.removeItem(atPath: directory)
        }
        ready.wait()
    }

    var counts: Counts { state.withLock { $0 } }

    func stop() { isStopping.store(true, ordering: .relaxed) }

    private func serve(_ endpoint: BusEndpoint, _ begun: () -> Void) throws {
        let context = try ZeroMQContext()
        let reports = try ZeroMQSocket(.sub, in: context)
        try reports.subscribe([])
        try reports.bind(endpoint.reportsAddress)
        let control = try ZeroMQSocket(.router, in: context)
        try control.bind(endpoint.controlAddress)
        begun()
        var items = [reports.pollItem, control.pollItem]
        while !isStopping.load(ordering: .relaxed) {
            _ = try poll(&items, timeout: 100)
            while let parts = try reports.receive() {
                state.withLock {
                    $0.reports += 1
                    $0.bytes += parts.reduce(0) { $0 + $1.count }
                }
            }
            while let parts = try control.receive() {
                guard parts.count == 2 else { continue }
                guard let answer = try answer(to: parts[1]) else { continue }
                _ = try control.send([parts[0], Frame.encode(answer)])
            }
        }
    }

    private func answer(to bytes: [UInt8]) throws -> WireBrokerFrame? {
        let frame = try Frame.decodeClient(bytes)
        var answer = WireBrokerFrame()
        answer.epoch = 1
        switch frame.body {
        case .hello: answer.welcome.heartbeat = 1_000
        case .endings(let endings):
            state.withLock {
                $0.endings += 1
                $0.bytes += bytes.count
            }
            answer.endingsJournalled.sequence = endings.sequence
        case .sync(let sync): answer.syncReached.request = sync.request
        case .goodbye: answer.goodbyeAccepted = WireGoodbyeAccepted()
        default: return nil
        }
        return answer
    }
}

/// A directory that only this user can enter, with a name short enough for a socket's path.
func newDirectory() throws -> String {
    var template = Array("/tmp/pbb.XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else {
        throw Obstacle("no directory in /tmp: \(String(cString: strerror(errno)))")
    }
    return String(cString: path)
}
