import BusProtocol
import CLibrary
import Synchronization
import TaskTree
import ZeroMQ

/// The sockets of another machine's bus, forwarded to sockets here by the system's ssh.
///
/// A lost connection is made again for as long as the tunnel is open; the sockets connected to its
/// endpoint then connect again by themselves. Safe to use from any thread.
final class Tunnel: Sendable {
    private typealias Outcome = Result<RemoteAnswer, FollowError>

    private struct State {
        /// The ssh that carries the sockets.
        var master: Int32?
        /// How the first connection went, or that there will be none.
        var outcome: Outcome?
        var waiters: [CheckedContinuation<Outcome, Never>] = []
        var isClosed = false
    }

    /// What a viewer connects to.
    var endpoint: BusEndpoint { directory.endpoint }
    private let remote: RemoteBus
    private let directory: TunnelDirectory
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// Starts a thread that lets ssh connect.
    init(to remote: RemoteBus) throws(FollowError) {
        self.remote = remote
        directory = try .make()
        do {
            wakeUp = try WakeUp()
            _ = try startThread(name: "progressbus-ssh") { [self] in run() }
        } catch {
            throw FollowError(.cannotConnect, error.description)
        }
    }

    /// Waits for the first connection, for which ssh may ask the person; returns the other
    /// machine's answer.
    func whenOpen() async throws(FollowError) -> RemoteAnswer {
        let outcome = await withCheckedContinuation { waiter in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiters.append(waiter) }
                return state.outcome
            }
            if let outcome { waiter.resume(returning: outcome) }
        }
        return try outcome.get()
    }

    /// Ends ssh and removes the sockets; returns at once.
    func close() {
        state.withLock { state in
            state.isClosed = true
            // The command on the other machine ends with it.
            if let master = state.master { kill(master, SIGTERM) }
        }
        directory.remove()
        finish(.failure(.closed))
        wakeUp.signal()
    }

    private func finish(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    // MARK: - On the thread

    private func run() {
        var machine = TunnelMachine(remote)
        var work = TunnelWork(TunnelArguments(remote: remote, directory: directory.path))
        var events: [TunnelMachine.Event] = []
        var actions = [machine.beginning]
        while !isClosed {
            for action in actions { events += perform(action, &work) }
            switch machine.stage {
            case .open(let answer): finish(.success(answer))
            case .failed(let error): return finish(.failure(error))
            case .connecting, .forwarding, .waiting: break
            }
            if events.isEmpty {
                events = waitForEvents(&work, until: machine.nextTime, says: !machine.wasOpen)
            }
            actions = events.flatMap { machine.take($0, at: .present) }
            events = []
        }
        _ = perform(.disconnect, &work)
    }

    private var isClosed: Bool { state.withLock(\.isClosed) }

    /// Carries out an action of the machine; returns the events that it has caused already.
    private func perform(
        _ action: TunnelMachine.Action,
        _ work: inout TunnelWork
    ) -> [TunnelMachine.Event] {
        switch action {
        case .connect(let asksPerson):
            return state.withLock { state in
                guard !state.isClosed else { return [] }
                do {
                    state.master = try work.connect(asksPerson: asksPerson)
                    return []
                } catch {
                    return [.complaint("ssh cannot be started: \(error)"), .ended]
                }
            }
        case .forward(let directory):
            do {
                try work.forward(from: directory)
                return []
            } catch {
                return [.complaint("ssh cannot be started: \(error)"), .forwarded(isDone: false)]
            }
        case .disconnect:
            state.withLock { state in
                if let master = state.master { kill(master, SIGTERM) }
                // From here on its number may be another process'.
                state.master = nil
            }
            work.end()
            return []
        }
    }

    /// Waits until ssh says or does something, or until `time`; returns the events.
    private func waitForEvents(
        _ work: inout TunnelWork,
        until time: Moment?,
        says: Bool
    ) -> [TunnelMachine.Event] {
        var items = [PollItem.descriptor(wakeUp.descriptor)] + work.pollItems()
        _ = try? poll(&items, timeout: time?.milliseconds(since: .present) ?? -1)
        if items[0].isReadable { wakeUp.drain() }
        var events = work.read { pid in
            state.withLock { $0.master = $0.master == pid ? nil : $0.master }
        }
        // Until the first connection, ssh's lines go to the terminal: they may ask to touch a key.
        if says, isatty(STDERR_FILENO) == 1 {
            for case .complaint(let words) in events {
                let line = Array((words + "\n").utf8)
                _ = write(STDERR_FILENO, line, line.count)
            }
        }
        events.append(.time)
        return events
    }
}
