import ProgressBus
import TaskTree

/// Asking tasks to stop, to pause, to go on, to leave.
extension DashboardModel {
    mutating func askToCancel(at now: Moment) {
        guard !refuseReadOnly(at: now), let row = target(at: now) else { return }
        if row.state.isEnded {
            note = Note("\"\(row.title)\" has ended; d dismisses it", at: now)
        } else if !row.options.isCancellable {
            note = Note(
                "\"\(row.title)\" cannot be cancelled: \(reasonAgainstCancel(row))",
                at: now
            )
        } else {
            // What would be lost is what would be lost now, whatever the picture on the screen.
            dialog = Dialog(cancelling: present.rows[row.id] ?? row)
        }
    }

    /// Why a request to stop would have no effect.
    private func reasonAgainstCancel(_ row: TaskSnapshot) -> String {
        if row.process == nil, row.state == .waiting { return "nobody has begun it" }
        let job = row.parent == nil ? nil : store.rows[row.job]
        let hint = job?.options.isCancellable == true ? "; its job does" : ""
        return "its program does not take a request to stop" + hint
    }

    mutating func pauseOrResume(at now: Moment, _ actions: inout [DashboardAction]) {
        guard !refuseReadOnly(at: now), let row = target(at: now) else { return }
        if row.state == .paused {
            perform(.resume, on: row.id, title: row.title, &actions)
        } else if row.state.isEnded {
            note = Note("\"\(row.title)\" has ended", at: now)
        } else if row.options.isPausable {
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
        switch (dialog.subject, dialog.chosen) {
        case (.task(_, let title), .keepGoing): note = Note("\"\(title)\" goes on", at: now)
        case (.task(let task, let title), .pauseInstead):
            perform(.pause, on: task, title: title, &actions)
        case (.task(let task, let title), .cancelTask):
            perform(.cancel, on: task, title: title, &actions)
        case (.ended(let jobs), .dismissAll): dismissAll(jobs, &actions)
        default: break
        }
    }

    /// There is nothing left to decide about a task that has ended.
    mutating func closeDialogIfEnded(at now: Moment) {
        guard let dialog, case .task(let task, let title) = dialog.subject else { return }
        let row = present.rows[task]
        // A row that is no longer followed says nothing; one that left has ended.
        guard row?.state.isEnded ?? present.isComplete else { return }
        self.dialog = nil
        let end = row.map { " (\($0.condition))" } ?? ""
        note = Note("\"\(title)\" has ended\(end); nothing was asked of it", at: now)
    }

    mutating func answered(
        _ request: Int,
        _ answers: Result<[SessionAnswer], FollowError>,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        guard let command = commands.removeValue(forKey: request) else { return }
        let words: String
        switch answers {
        case .success(let answers): words = Self.words(for: answers)
        case .failure(let error): words = error.description
        }
        guard !command.isOneOfMany else {
            let isDone = (try? answers.get())?.allSatisfy { $0.outcome == .accepted } ?? false
            return dismissedOne(isDone ? nil : words, at: now, &actions)
        }
        note = Note("\(command.request.rawValue) \"\(command.title)\": \(words)", at: now)
    }

    mutating func perform(
        _ request: TaskRequest,
        on task: TaskID,
        title: String,
        isOneOfMany: Bool = false,
        _ actions: inout [DashboardAction]
    ) {
        lastRequest += 1
        commands[lastRequest] = PendingRequest(
            request: request,
            title: title,
            isOneOfMany: isOneOfMany
        )
        actions.append(.perform(request: lastRequest, request, task))
    }

    mutating func refuseReadOnly(at now: Moment) -> Bool {
        guard options.isReadOnly else { return false }
        note = Note("read-only: started with --read-only, nothing is asked of any task", at: now)
        return true
    }

    private static func words(for answers: [SessionAnswer]) -> String {
        let said: [(SessionAnswer.Outcome, String)] = [
            (.accepted, "accepted"), (.refused, "refused"),
            (.unsupported, "not supported by its program"), (.gone, "its process is gone"),
            (.noAnswer, "no answer yet"),
        ]
        var parts: [(count: Int, words: String)] = []
        for (outcome, words) in said {
            let count = answers.count { $0.outcome == outcome }
            if count > 0 { parts.append((count, words)) }
        }
        var texts = parts.map { parts.count > 1 ? "\($0.count) \($0.words)" : $0.words }
        if let text = answers.lazy.map(\.text).first(where: { !$0.isEmpty }) { texts.append(text) }
        return texts.isEmpty ? "nobody was asked" : texts.joined(separator: ", ")
    }
}
