import BusProtocol
import TaskTree

/// What works below a task that stops is asked to stop too, now or as soon as it comes.
///
/// Nobody waits for the answers: they are for those who asked for the task above.
extension BrokerMachine {
    /// A new attempt has begun: what the former one left running is asked to stop.
    ///
    /// What those before it left was asked to at their end.
    mutating func stopChildrenOfFormerAttempt(of ticket: TaskID) {
        for child in tree.formerAttemptChildren(of: ticket) { stopAll(at: child) }
    }

    /// A task has ended: if it failed or was cancelled, what others still do for it is in vain.
    mutating func stopDescendants(of view: TaskView) {
        guard view.state == .failed || view.state == .cancelled, !sessions.isSettling,
            tree.hasStatedEnding(view.reporter), tree.hasLiveDescendants(view.id)
        else { return }
        stopAll(at: view.id)
    }

    /// A task has begun, or somebody else speaks for it now: if something above it is to stop,
    /// its session is told, unless that owns the parent and so knows.
    ///
    /// While the broker settles nobody is told: the one before it has done so.
    mutating func stopIfAnythingAboveStops(_ id: TaskID, reporter: TaskID) {
        guard !sessions.isSettling, let parent = tree.parent(of: id) else { return }
        var above = parent
        // What is in no job may hang from itself, by what its owners say.
        for _ in 0..<ProtocolLimits.depth where !isStopping(above) {
            guard let next = tree.parent(of: above) else { return }
            above = next
        }
        guard isStopping(above) else { return }
        guard tree.reporter(of: parent)?.session != reporter.session else { return }
        stop(id, reporter: reporter)
    }

    /// Asks the owner of a task to stop it, once.
    mutating func stop(_ id: TaskID, reporter: TaskID) {
        guard records[id]?.askedToStop != reporter, !tree.hasStatedEnding(reporter) else { return }
        records[id]?.askedToStop = reporter
        commands.stopping[reporter.session, default: []].append(reporter.index)
    }

    /// Notes whose tasks a cancel has been sent to.
    mutating func noteAskedToStop(_ session: SessionID, _ indices: [UInt64]) {
        for index in indices {
            let reporter = TaskID(index: index, session: session)
            guard let id = tree.taskID(of: reporter) else { continue }
            records[id]?.askedToStop = reporter
        }
    }

    /// Sends what was gathered, one request for each session, to those that listen.
    ///
    /// A session takes nothing seriously before its welcome; one that is gone is not waited for.
    mutating func sendStops() {
        guard !commands.stopping.isEmpty else { return }
        if let own = commands.stopping.removeValue(forKey: detached.session) {
            cancelDetached(own, reason: "what it was a part of has stopped")
        }
        for (id, indices) in commands.stopping.sorted(by: { $0.key < $1.key }) {
            if let session = sessions[id], session.isPresent {
                guard session.isWelcomed, session.route != nil else { continue }
                _ = ask(id, .cancel, indices, command: nil)
            }
            commands.stopping[id] = nil
        }
    }

    private mutating func stopAll(at top: TaskID) {
        for (session, indices) in tree.topmostUnfinished(at: top).tasks {
            for index in indices {
                let reporter = TaskID(index: index, session: session)
                if let id = tree.taskID(of: reporter) { stop(id, reporter: reporter) }
            }
        }
    }

    private func isStopping(_ id: TaskID) -> Bool {
        switch tree.state(of: id) {
        case .cancelling, .failed, .cancelled: true
        case .waiting, .running, .paused, .succeeded, .lost, nil: false
        }
    }
}
