import BusProtocol
package import TaskTree
import TimeLeft

/// Silent, lost, back again: what the broker infers when it hears nothing of a session.
extension BrokerMachine {
    /// The broker itself was stopped or starved: the silence of others proves nothing.
    mutating func resetLivenessAfterStall(now: Moment) {
        guard now.seconds(since: clock.lastTick) > configuration.silentAfter / 2 else { return }
        let absence = now.seconds(since: clock.lastTick)
        for id in sessions.known.keys { sessions[id]?.lastHeard = now }
        forgiveOwnAbsenceForDetached(now: now)
        log(.warning, "the broker was stopped for a while", ["seconds": "\(Int(absence))"])
    }

    mutating func checkSession(_ id: SessionID, now: Moment) {
        guard let session = sessions[id], session.isPresent else { return }
        let quiet = now.seconds(since: session.lastHeard)
        let isQuiet = quiet >= configuration.silentAfter
        // The kernel tells when a watched process ends: until then none of its tasks is lost.
        let left = session.process != nil && isQuiet ? remainder(of: id) : .nothing
        let nextLook = now.advanced(bySeconds: configuration.silentAfter)
        if left == .paused {
            clock.timers.add(.session(id), at: nextLook)
            return
        }
        if quiet >= configuration.lostAfter, left == .nothing {
            let process = session.hello.process
            // The session's host is not heard, so what goes on there below its tasks is lost too.
            if session.way.broker != nil { tree.loseFolds(of: id) }
            lose(
                id,
                reason: "no word came from process \(process.pid) on \(process.host) for "
                    + "\(Int(configuration.lostAfter)) s",
                now: now
            )
            return
        }
        if !sessions.isSettling, !session.isViewer, isQuiet != session.isSilent {
            sessions[id]?.isSilent = isQuiet
            tree.setSilent(id, isQuiet)
            sweep(id, isQuiet ? .silent : .heard, now: now)
            if isQuiet { log(.info, "a session is silent", ["session": id.description]) }
        }
        if left == .work, let watched = session.process {
            outbox.actions.append(.examine(id, watched))
            clock.timers.add(.session(id), at: nextLook)
            return
        }
        let next = isQuiet ? configuration.lostAfter : configuration.silentAfter
        clock.timers.add(.session(id), at: session.lastHeard.advanced(bySeconds: next))
    }

    /// What a silent session has left unfinished.
    ///
    /// The tasks are looked through once after each of its frames; later calls get the same answer.
    ///
    /// A program that is about to be stopped says that all its tasks are paused: they stay so for
    /// as long as its process lives.
    private mutating func remainder(of id: SessionID) -> Session.Remainder {
        guard let session = sessions[id] else { return .nothing }
        if let silence = session.silence, silence.since == session.lastHeard {
            return silence.leaves
        }
        var found = Session.Remainder.nothing
        for reporter in tree.reporters(of: id)
        where !tree.isTicket(reporter) && !tree.hasStatedEnding(reporter) {
            found = .paused
            guard session.phase == .live, tree.statement(of: reporter)?.state == .paused else {
                found = .work
                break
            }
        }
        sessions[id]?.silence = (session.lastHeard, found)
        return found
    }

    /// The process of a silent session was looked at.
    package mutating func processExamined(
        _ id: SessionID,
        _ process: WatchedProcess,
        isStopped: Bool
    ) {
        guard let session = sessions[id], session.process == process, session.isSilent,
            session.isStopped != isStopped
        else { return }
        sessions[id]?.isStopped = isStopped
        // Has the session's rows published again: they say whether the process is stopped.
        sweep(id, .silent, now: clock.lastTick)
    }

    /// A session has said nothing for too long, or its process is gone: its unfinished tasks are
    /// lost until it speaks again.
    mutating func lose(_ id: SessionID, reason: String, now: Moment) {
        guard let session = sessions[id] else { return }
        set(id, .lost)
        publication.totalsChanged = true
        if session.isViewer {
            dropIfUnused(id)
            return
        }
        sessions[id]?.isSilent = false
        tree.setSilent(id, false)
        leave(id, reason: reason, now: now)
        answerForGone(id)
        log(.notice, "a session is lost", ["session": id.description, "why": reason])
        dropIfUnused(id)
    }

    /// The session is gone: what it did not end is lost, and written to the journal.
    ///
    /// Where it `isJudgedLater`, its tasks are written to the journal and nothing is lost yet,
    /// because the end of the process is still to come and says more.
    mutating func leave(_ id: SessionID, reason: String, isJudgedLater: Bool = false, now: Moment) {
        settleForDecision(now: now)
        publication.isChanged = true
        let isUnheard = sessions.restored.contains(id)
        observeRestored(id)
        forgetInert(of: id)
        sessions[id]?.keyframe = nil
        let process = sessions[id]?.hello.process
        let isWell = process?.hasExitStatus == true && process?.exitStatus == 0
        let reason = isWell ? Self.endedWell : reason
        let step = SessionSweep.Step.left(
            reason: reason,
            isJudgedLater: isJudgedLater,
            isUnheard: isUnheard
        )
        sweep(id, step, now: now)
    }

    /// Stops waiting for what a session told the former broker: its tasks are observed from now on.
    mutating func observeRestored(_ id: SessionID) {
        guard sessions.restored.remove(id) != nil else { return }
        knownTasks.observable.formUnion(knownTasks.unobserved)
    }

    /// Removes the session's INERT redeemers with all that it began below them: as they are shown
    /// nowhere, nothing else would ever remove them.
    mutating func forgetInert(of id: SessionID, except stated: Set<UInt64> = []) {
        for reporter in tickets.inert[id, default: []].sorted()
        where !stated.contains(reporter.index) {
            forgetWithRows(tree.forgetBranch(reporter))
        }
    }

    /// A session that was taken for lost has spoken: its tasks are as it says.
    mutating func revive(_ id: SessionID, now: Moment) {
        guard let session = sessions[id] else { return }
        publication.totalsChanged = true
        sweep(id, .back, now: now)
        rememberSession(id)
        clock.timers.add(.session(id), at: now.advanced(bySeconds: configuration.silentAfter))
        tellSuperseded(id)
        log(.notice, "a lost session is back", ["session": id.description])
        // The process has ended, so this was a late last word, and nothing else will come.
        if session.hasProcessEnded { clock.timers.add(.processGone(id), at: now) }
    }

    /// Why a task is cancelled whose process ended with status 0: this is no failure, and no
    /// success.
    static let endedWell = "its process ended with status 0 and did not say how this ended"

    /// What is concluded of a task whose owner is gone, from the reason that is written down.
    static func conclusion(from reason: String) -> Inference {
        reason == endedWell ? .cancelled(reason: reason) : .lost(reason: reason)
    }

    /// Whether the owner of this name has stated an ending or is gone, or its task is shown as
    /// ended or lost.
    func hasEnded(_ reporter: TaskID) -> Bool {
        if tree.hasStatedEnding(reporter) || tree.isConcluded(reporter) { return true }
        return tree.taskID(of: reporter).flatMap { tree.state(of: $0) }?.isEnded ?? false
    }
}
