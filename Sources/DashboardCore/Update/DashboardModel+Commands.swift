import ProgressBus
import TaskTree

/// The requests to tasks: cancel, pause, resume and dismiss.
extension DashboardModel {
    mutating func askToCancel() {
        guard let row = target() else { return }
        if row.state.isEnded {
            say("\"\(row.title)\" has ended; d dismisses it")
        } else if !row.options.isCancellable {
            say("\"\(row.title)\" cannot be cancelled: \(reason(against: .cancel, row))")
        } else {
            dialog = Dialog(cancelling: row, askedSecondsAgo: askedSecondsAgo(row.id, at: now))
        }
    }

    /// Why a request to stop or to pause would have no effect.
    private func reason(against request: TaskRequest, _ row: TaskSnapshot) -> String {
        if row.process == nil, row.state == .waiting { return "nobody has begun it" }
        let job = row.parent == nil ? nil : store.rows[row.job]?.options
        let isPause = request == .pause
        let hint = (isPause ? job?.isPausable : job?.isCancellable) == true ? "; its job does" : ""
        return "its program does not take a request to \(isPause ? "pause" : "stop")" + hint
    }

    mutating func pauseOrResume() {
        guard let row = target() else { return }
        if row.state == .paused {
            perform(.resume, on: row.id, title: row.title)
        } else if row.state.isEnded {
            say("\"\(row.title)\" has ended")
        } else if row.options.isPausable {
            perform(.pause, on: row.id, title: row.title)
        } else {
            say("\"\(row.title)\" cannot pause: \(reason(against: .pause, row))")
        }
    }

    mutating func dismiss() {
        guard let row = target() else { return }
        if row.state.isEnded, row.parent == nil, row.troubled > 0 {
            dialog = Dialog(dismissing: row, at: now)
        } else if row.state.isEnded {
            perform(.dismiss, on: row.id, title: row.title)
        } else {
            let canStop = row.options.isCancellable
            let words = canStop ? "x asks it to stop" : reason(against: .cancel, row)
            say("\"\(row.title)\" has not ended; \(words)")
        }
    }

    /// Carries out the chosen answer of the dialog for the tasks that the dialog names.
    mutating func decide() {
        guard let dialog else { return }
        self.dialog = nil
        guard let request = dialog.choices[dialog.chosen].request else {
            if dialog.isOfCancelling, case .task(_, let title) = dialog.subject {
                say("\"\(title)\" goes on")
            }
            return
        }
        if let reasonToAskNothing { return say(reasonToAskNothing) }
        switch dialog.subject {
        case .task(let task, let title): perform(request, on: task, title: title)
        case .ended(let jobs): dismissAll(jobs)
        }
    }

    /// Closes a dialog about cancelling once its task has ended.
    mutating func closeDialogIfEnded() {
        guard let dialog, dialog.isOfCancelling,
            case .task(let task, let title) = dialog.subject
        else { return }
        let row = store.rows[task]
        // A task without a row has ended only if all followed parts are here.
        guard row?.state.isEnded ?? store.isComplete else { return }
        self.dialog = nil
        let end = row.map { " (\($0.condition))" } ?? ""
        say("\"\(title)\" has ended\(end); nothing was asked of it", isNews: true)
    }

    mutating func answered(_ request: Int, _ answers: Result<[SessionAnswer], FollowError>) {
        guard let command = pending.requests.removeValue(forKey: request) else { return }
        let words: String
        switch answers {
        case .success(let answers): words = Self.words(for: answers)
        case .failure(let error): words = error.description
        }
        guard let title = command.title else {
            let isDone = (try? answers.get())?.allSatisfy { $0.outcome == .accepted } ?? false
            return dismissedOne(isDone ? nil : words)
        }
        say("\(command.request.rawValue) \"\(title)\": \(words)", isNews: true)
    }

    mutating func perform(_ request: TaskRequest, on task: TaskID, title: String?) {
        let number = pending.nextNumber()
        pending.requests[number] = PendingRequest(request: request, title: title)
        actions.append(.perform(request: number, request, task))
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
        guard !parts.isEmpty else { return "nobody was asked" }
        let outcomes = parts.map { parts.count > 1 ? "\($0.count) \($0.words)" : $0.words }
            .joined(separator: ", ")
        guard let answer = answers.first(where: { !$0.text.isEmpty }) else { return outcomes }
        if answer.session != nil { return outcomes + ": " + answer.text }
        // The broker answers in sentences, which become the end of this one.
        let sentence = answer.text
        let clause = sentence.prefix(1).lowercased() + sentence.dropFirst()
        return outcomes + "; " + (clause.hasSuffix(".") ? String(clause.dropLast()) : clause)
    }
}
