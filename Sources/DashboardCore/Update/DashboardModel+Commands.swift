import TaskTree

/// Asking tasks to stop, to pause, to go on, to leave.
extension DashboardModel {
    mutating func askToCancel(at now: Moment) {
        guard !refuseReadOnly(at: now), let row = target(at: now) else { return }
        if row.state.isEnded {
            note = Note("\"\(row.title)\" has ended; d dismisses it", at: now)
        } else if !row.isCancellable {
            note = Note("\"\(row.title)\" does not take a request to stop", at: now)
        } else {
            // What would be lost is what would be lost now, whatever the picture on the screen.
            dialog = CancelDialog(present.rows[row.id] ?? row)
        }
    }

    mutating func pauseOrResume(at now: Moment, _ actions: inout [DashboardAction]) {
        guard !refuseReadOnly(at: now), let row = target(at: now) else { return }
        if row.state == .paused {
            perform(.resume, on: row.id, title: row.title, &actions)
        } else if row.state.isEnded {
            note = Note("\"\(row.title)\" has ended", at: now)
        } else if row.isPausable {
            perform(.pause, on: row.id, title: row.title, &actions)
        } else {
            note = Note("\"\(row.title)\" cannot pause", at: now)
        }
    }

    mutating func dismiss(at now: Moment, _ actions: inout [DashboardAction]) {
        guard !refuseReadOnly(at: now), let row = target(at: now) else { return }
        if row.state.isEnded {
            perform(.dismiss, on: row.id, title: row.title, &actions)
        } else {
            note = Note("\"\(row.title)\" has not ended; x asks it to stop", at: now)
        }
    }

    /// What the person chose in the dialog; it is about the task it names, wherever that is now.
    mutating func decide(at now: Moment, _ actions: inout [DashboardAction]) {
        guard let dialog else { return }
        self.dialog = nil
        switch dialog.chosen {
        case .keepGoing: note = Note("\"\(dialog.title)\" goes on", at: now)
        case .pauseInstead: perform(.pause, on: dialog.task, title: dialog.title, &actions)
        case .cancelTask: perform(.cancel, on: dialog.task, title: dialog.title, &actions)
        }
    }

    /// There is nothing left to decide about a task that has ended.
    mutating func closeDialogIfEnded(at now: Moment) {
        guard let dialog else { return }
        let row = present.rows[dialog.task]
        // A row that is no longer followed says nothing; one that left has ended.
        guard row?.state.isEnded ?? present.isComplete else { return }
        self.dialog = nil
        let end = row.map { " (\($0.condition))" } ?? ""
        note = Note("\"\(dialog.title)\" has ended\(end); nothing was asked of it", at: now)
    }

    mutating func answered(_ request: Int, _ outcome: CommandOutcome, at now: Moment) {
        guard let command = commands.removeValue(forKey: request) else { return }
        let words = Self.words(for: outcome)
        note = Note("\(command.verb.rawValue) \"\(command.title)\": \(words)", at: now)
    }

    private mutating func perform(
        _ verb: DashboardVerb,
        on task: TaskID,
        title: String,
        _ actions: inout [DashboardAction]
    ) {
        lastRequest += 1
        commands[lastRequest] = PendingCommand(verb: verb, task: task, title: title)
        actions.append(.perform(request: lastRequest, verb, task))
    }

    private mutating func refuseReadOnly(at now: Moment) -> Bool {
        guard options.isReadOnly else { return false }
        note = Note("read-only: started with --read-only, nothing is asked of any task", at: now)
        return true
    }

    private static func words(for outcome: CommandOutcome) -> String {
        var parts: [String] = []
        if outcome.accepted > 0 { parts.append("accepted") }
        if outcome.refused > 0 { parts.append("refused") }
        if outcome.unsupported > 0 { parts.append("not supported by its program") }
        if outcome.gone > 0 { parts.append("its process is gone") }
        if outcome.noAnswer > 0 { parts.append("no answer yet") }
        let counts = [
            outcome.accepted, outcome.refused, outcome.unsupported, outcome.gone, outcome.noAnswer,
        ]
        if parts.count > 1 {
            let numbers = counts.filter { $0 > 0 }
            parts = zip(numbers, parts).map { "\($0) \($1)" }
        }
        if !outcome.text.isEmpty { parts.append(outcome.text) }
        return parts.isEmpty ? "nobody was asked" : parts.joined(separator: ", ")
    }
}
