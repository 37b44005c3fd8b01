import Foundation
import ProgressBus
import ServiceLifecycle
import Synchronization

/// Takes connections until the graceful shutdown, and returns when the last one has its answer.
struct HashServer: Service {
    let path: String
    let bus: BusClient

    func run() async throws {
        let listener = try LineListener(path: path)
        let connections = Connections()
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                while let connection = await onOwnThread({ listener.accept() }) {
                    connections.add(connection)
                    group.addTask {
                        // What blocks on a socket has a thread of its own.
                        await onOwnThread { Batches(connection, bus).serve() }
                        connections.remove(connection)
                    }
                }
            }
        } onCancelOrGracefulShutdown: {
            listener.stop()
            connections.stopReading()
        }
    }
}

/// The open connections, so that their readers can be told that there is nothing more to read.
private final class Connections: Sendable {
    private struct State {
        var open: [ObjectIdentifier: LineConnection] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    func add(_ connection: LineConnection) {
        let isStopped = state.withLock { state in
            state.open[ObjectIdentifier(connection)] = connection
            return state.isStopped
        }
        if isStopped { connection.stopReading() }
    }

    func remove(_ connection: LineConnection) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    func stopReading() {
        let open = state.withLock { state in
            state.isStopped = true
            return Array(state.open.values)
        }
        for connection in open { connection.stopReading() }
    }
}

private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
