import ProgressBus
import TaskTree

/// The pane beside or below the view.
extension DashboardModel {
    /// Opens a pane, or closes it if it is open.
    mutating func toggle(_ wanted: Pane.Content) {
        pane.toggle(wanted, in: view)
        paneChanged()
        guard pane.content != nil, layout.pane.height == 0 else { return }
        pane.close()
        say("there is no room for it; a higher window has some")
    }

    mutating func paneChanged() {
        let body = layout.body
        inTree { $0.keepCursorVisible(bodyHeight: $2) }
        mosaic?.keepCursorVisible(in: body)
    }

    /// Feeds the plot of the selected task, unless the picture is frozen.
    mutating func plotSelected() {
        guard frozen == nil else { return }
        let row = pane.content == .details ? selected.flatMap { store.rows[$0] } : nil
        pane.observe(row, at: now)
    }

    /// Names the next of the tasks that run in the background.
    mutating func focusActivity() {
        if !activity.focusNext() { say("nothing runs in the background") }
    }

    mutating func refresh() {
        guard frozen == nil else {
            actions.append(.redraw)
            return say("the picture is frozen; f goes on")
        }
        actions += [.refresh, .redraw]
        say("asked for a fresh picture")
    }
}

/// The messages in the pane, and the titles of the tasks that have sent them.
extension DashboardModel {
    /// The most titles that are asked for at a time, and that are kept.
    private static let mostAsked = 8
    private static let mostNames = 2 * TaskStore.messageLimit

    /// The job whose messages are followed while a pane is open.
    var jobOfMessages: TaskID? { store.row(selected)?.job ?? job?.job ?? mosaic?.job }

    /// The messages of the selected task and of the tasks below it; all messages of the job if the
    /// job is selected or no row is.
    var messagesInPane: [TaskMessage] {
        let messages = jobOfMessages.flatMap { store.messages[$0] } ?? []
        guard let row = store.row(selected), row.id != row.job else { return messages }
        return messages.filter { isTask($0.task, below: row.id) }
    }

    /// Whether a task is another one or below it, as far as its parents are known here.
    private func isTask(_ task: TaskID, below other: TaskID) -> Bool {
        var step: TaskID? = task
        while let present = step {
            if present == other { return true }
            step = store.rows[present]?.parent
        }
        return false
    }

    /// Asks for the titles of tasks that have sent messages in the pane but have no row here.
    mutating func askForNames() {
        guard pane.content == .messages, frozen == nil, store.connection == .live else { return }
        var asked: Set<TaskID> = []
        for case .name(let task) in pending.searches.values { asked.insert(task) }
        for message in messagesInPane.suffix(max(layout.pane.height, 0)) {
            let task = message.task
            guard store.rows[task] == nil, names[task] == nil, asked.count < Self.mostAsked,
                asked.insert(task).inserted
            else { continue }
            search(.id(task), .name(task))
        }
    }

    mutating func keep(name: String, of task: TaskID) {
        if names.count >= Self.mostNames { names = [:] }
        names[task] = name
    }
}
