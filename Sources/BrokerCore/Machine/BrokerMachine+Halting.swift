import BusProtocol
import TaskTree

/// Asks the sessions that work below a task that stops to stop too, now or as soon as they come.
///
/// No viewer waits for these answers: a command waits only for the sessions that it went to.
extension BrokerMachine {
    /// A new attempt has begun: asks what the former one left running to stop.
    ///
    /// The children of earlier attempts were asked before.
    mutating func stopChildrenOfFormerAttempt(of ticket: TaskID) {
        for child in tree.formerAttemptChildren(of: ticket) { stopAll(at: child) }
    }

    /// A task has ended: if it failed or was cancelled, asks those who still work below it to stop.
    mutating func stopDescendants(of view: TaskView) {
        guard view.state == .failed || view.state == .cancelled, !sessions.isSettling,
            tree.hasStatedEnding(view.reporter), tree.hasLiveDescendants(view.id)
        else { return }
        stopAll(at: view.id)
    }

    /// A task has begun or has another reporter: asks it to stop if a task above it is to stop.
    ///
    /// A session that also reports the parent knows of the stop already. While the broker settles,
    /// it asks no session: the former broker has done that.
    mutating func stopIfAnythingAboveStops(_ id: TaskID, reporter: TaskID) {
        guard !sessions.isSettling, let parent = tree.parent(of: id) else { return }
        var above = parent
        // Outside a job the parents that owners state may form a circle.
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

    /// Notes the tasks of a session that a cancel has been sent to.
    mutating func noteAskedToStop(_ session: SessionID, _ indices: [UInt64]) {
        for index in indices {
            let reporter = TaskID(index: index, session: session)
            guard let id = tree.taskID(of: reporter) else { continue }
            records[id]?.askedToStop = reporter
        }
    }

    /// Sends the gathered requests to stop, one for each session.
    ///
    /// Those for a session that is not welcomed yet wait; those for one that is gone are dropped.
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
