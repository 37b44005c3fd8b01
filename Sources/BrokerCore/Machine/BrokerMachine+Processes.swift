import BusProtocol
package import TaskTree

/// Processes on the broker's own machine: the kernel tells when they end, whether or not they are
/// silent.
extension BrokerMachine {
    /// Has the session's process watched if its pid is the one that the kernel gives for the
    /// connection.
    ///
    /// Both pids must mean the same process: the session and the broker run on one machine, in one
    /// pid namespace.
    ///
    /// Otherwise the start time is forgotten, so that no later broker watches a process that may be
    /// another one.
    mutating func watchProcess(of id: SessionID, peer: Int32?) {
        guard let session = sessions[id], !session.isViewer else { return }
        guard let process = ownProcess(of: session), process.pid == peer else {
            sessions[id]?.hello.process.startTime = 0
            unwatchProcess(of: id)
            return
        }
        guard session.process != process else { return }
        unwatchProcess(of: id)
        sessions[id]?.process = process
        outbox.actions.append(.watch(id, process))
    }

    /// The same for a session that the journal knows: its process may have ended meanwhile.
    mutating func watchRestoredProcess(of id: SessionID) {
        guard let session = sessions[id], let process = ownProcess(of: session) else { return }
        sessions[id]?.process = process
        outbox.actions.append(.watch(id, process))
    }

    /// What a session says of its process, if it is one that the broker's own pids can name.
    private func ownProcess(of session: Session) -> WatchedProcess? {
        let said = session.hello.process
        guard let pid = Int32(exactly: said.pid), pid > 0, said.startTime > 0,
            !configuration.bootID.isEmpty, said.bootID == configuration.bootID,
            !configuration.pidNamespace.isEmpty, said.pidNamespace == configuration.pidNamespace
        else { return nil }
        return WatchedProcess(pid: pid, startTime: said.startTime)
    }

    mutating func unwatchProcess(of id: SessionID) {
        guard sessions[id]?.process != nil else { return }
        sessions[id]?.process = nil
        outbox.actions.append(.unwatch(id))
    }

    /// The process of a session can no longer be watched: only silence tells of its end from now
    /// on.
    package mutating func processUnwatched(_ id: SessionID, _ process: WatchedProcess) {
        if sessions[id]?.process == process { sessions[id]?.process = nil }
    }

    /// The process of a session has ended, and all that it sent has been taken in.
    package mutating func processGone(
        _ id: SessionID,
        _ process: WatchedProcess,
        exit: ProcessExit?,
        now: Moment
    ) -> [BrokerAction] {
        // Otherwise the session lives in another process by now.
        guard sessions[id]?.process == process else { return finish(now: now) }
        sessions[id]?.process = nil
        sessions[id]?.hasProcessEnded = true
        switch exit {
        case .status(let status): sessions[id]?.hello.process.exitStatus = status
        case .signal(let signal): sessions[id]?.hello.process.exitSignal = signal
        case nil: break
        }
        processGone(id, now: now)
        if publication.isChanged { stepEarly(now: now) }
        return finish(now: now)
    }

    mutating func processGone(_ id: SessionID, now: Moment) {
        guard let session = sessions[id], session.hasProcessEnded else { return }
        guard !sessions.isSettling else {
            clock.timers.add(.processGone(id), at: now.advanced(bySeconds: 0.1))
            return
        }
        switch session.phase {
        case .awaited, .live:
            lose(id, reason: endWords(of: session.hello.process), now: now)
        case .closing:
            close(id, now: now)
        case .ended:
            clock.timers.remove(.remainder(id))
            if hasUnfinished(id) { judgeRemainder(of: id, now: now) }
        case .lost:
            // The session was lost by silence; now it is known how its process ended.
            guard hasUnfinished(id) else { return }
            leave(id, reason: endWords(of: session.hello.process), now: now)
        }
    }

    /// Whether some task of the session has not been said to have ended.
    func hasUnfinished(_ id: SessionID) -> Bool {
        tree.reporters(of: id).contains { !tree.hasStatedEnding($0) && !tree.isTicket($0) }
    }

    /// Why what a session left unfinished when it said goodbye is lost.
    func closedReason(of id: SessionID) -> String {
        guard let session = sessions[id], session.hasProcessEnded else {
            return "closed without an ending"
        }
        return "closed without an ending; " + endWords(of: session.hello.process)
    }

    private func endWords(of process: WireProcess) -> String {
        let name = "process \(process.pid) on \(process.host)"
        if process.hasExitSignal { return "\(name) was ended by signal \(process.exitSignal)" }
        if process.hasExitStatus { return "\(name) ended with status \(process.exitStatus)" }
        return "\(name) is gone"
    }
}
