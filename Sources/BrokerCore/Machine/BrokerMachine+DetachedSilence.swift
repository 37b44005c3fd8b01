import BusProtocol
import TaskTree
import TimeLeft

/// A detached task that promises a request every so often is silent without one, lost after three
/// times as long, and back with the next.
extension BrokerMachine {
    /// Seconds between two looks at a task that is silent already.
    private static let lookAgain = 1.0
    /// The same at one that is lost.
    private static let lookAgainWhenLost = 5.0
    /// How many descendants of a task are searched for one whose owner has spoken.
    private static let descendantsAsked = 10_000

    /// A request about a task has come.
    mutating func hearDetached(_ id: TaskID, now: Moment) {
        guard let task = detached.tasks[id] else { return }
        detached.tasks[id]?.lastHeard = now
        guard task.isSilent || task.isLost else { return }
        detached.tasks[id]?.isSilent = false
        detached.tasks[id]?.isLost = false
        tree.setSilent(reporter: id, false)
        tree.infer(nil, about: id)
        records[id]?.observation.endSilence(at: now)
        publication.isChanged = true
        publication.totalsChanged = true
        log(.info, "a detached task is heard of again", ["task": id.description])
    }

    /// Sets the timer for the next request that a task has promised, if it has promised any.
    mutating func watchSilence(of id: TaskID) {
        guard let task = detached.tasks[id], let promised = promised(by: id) else { return }
        clock.timers.add(.detached(id), at: task.lastHeard.advanced(bySeconds: promised))
    }

    /// Seconds within which a running task has promised the next word.
    private func promised(by id: TaskID) -> Double? {
        guard let statement = tree.statement(of: id), !statement.state.isFinal else { return nil }
        return statement.description.options.expectedGap.map { max(1, $0.inSeconds) }
    }

    mutating func checkSilence(of id: TaskID, now: Moment) {
        guard let task = detached.tasks[id], let promised = promised(by: id) else { return }
        var next = Self.lookAgain
        if !sessions.isSettling {
            let quiet = now.seconds(since: task.lastHeard)
            let isHeard =
                quiet < promised
                || hasWord(below: id, since: now.advanced(bySeconds: -promised))
            if isHeard {
                // A word from below counts as heard now, as its exact time is not known here.
                hearDetached(id, now: quiet < promised ? task.lastHeard : now)
                next = quiet < promised ? promised - quiet : promised
            } else if quiet >= 3 * promised {
                lose(id, promised: promised, quiet: quiet)
                next = Self.lookAgainWhenLost
            } else if !task.isSilent {
                detached.tasks[id]?.isSilent = true
                tree.setSilent(reporter: id, true)
                publication.isChanged = true
                log(.info, "a detached task is silent", ["task": id.description])
            }
        }
        clock.timers.add(.detached(id), at: now.advanced(bySeconds: next))
    }

    private mutating func lose(_ id: TaskID, promised: Double, quiet: Double) {
        guard detached.tasks[id]?.isLost == false else { return }
        detached.tasks[id]?.isLost = true
        detached.tasks[id]?.isSilent = false
        tree.setSilent(reporter: id, false)
        tree.infer(
            .lost(
                reason: "no word came for \(Int(quiet)) s, though one was promised every "
                    + "\(Int(promised)) s"
            ),
            about: id
        )
        publication.isChanged = true
        publication.totalsChanged = true
        log(.notice, "a detached task is lost", ["task": id.description])
    }

    /// Whether the owner of an unfinished task below this one has spoken since.
    ///
    /// Where there are too many descendants to look at all of them, the answer is yes: some of them
    /// are live, and an owner that says nothing is soon lost.
    private func hasWord(below id: TaskID, since: Moment) -> Bool {
        guard tree.hasLiveDescendants(id) else { return false }
        return tree.hasDescendant(of: id, within: Self.descendantsAsked) { task, reporter in
            guard tree.state(of: task)?.isEnded == false else { return false }
            if let other = detached.tasks[reporter] { return other.lastHeard > since }
            guard let session = sessions[reporter.session] else { return false }
            return session.isPresent && session.lastHeard > since
        } ?? true
    }

    /// The broker itself was stopped: that detached tasks were silent meanwhile proves nothing.
    mutating func forgiveOwnAbsenceForDetached(now: Moment) {
        for id in detached.tasks.keys { detached.tasks[id]?.lastHeard = now }
    }
}
