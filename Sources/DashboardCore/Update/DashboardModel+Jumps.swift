import ProgressBus
import TaskTree

/// Going to a task that is somewhere else.
extension DashboardModel {
    mutating func search(_ task: TaskSelector, _ purpose: PendingSearch) -> DashboardAction {
        lastRequest += 1
        searches[lastRequest] = purpose
        return .find(request: lastRequest, task)
    }

    mutating func found(
        _ request: Int,
        _ task: TaskMatch?,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        guard let purpose = searches.removeValue(forKey: request) else { return }
        switch purpose {
        case .cell(let cell):
            guard mosaic?.asked?.request == request else { return }
            mosaic?.asked = nil
            mosaic?.named = (cell, task)
        case .name(let asked):
            keep(name: task?.title ?? "", of: asked)
        case .jump(let place):
            // A person who has moved the cursor meanwhile wants it to stay.
            guard place == cursorPlace else { return }
            guard let task else {
                note = Note("that task has left the bus", at: now)
                return
            }
            actOnPicture(at: now, target: task.task, &actions) { model, _ in model.go(to: task) }
        case .open:
            guard let task else {
                note = Note("no task goes by \"\(options.opens ?? "")\"", at: now)
                return
            }
            actOnPicture(at: now, &actions) { model, _ in
                model.board.slot = max(task.slot ?? 1, 1)
                model.open(job: task.job, slot: task.slot)
                model.reveal(task)
            }
        }
    }

    /// Where the cursor is; only the person changes it.
    private var cursorPlace: CursorPlace {
        CursorPlace(
            view: view,
            slot: board.slot,
            job: job?.job,
            line: job?.cursor,
            cell: mosaic?.cell
        )
    }

    /// Puts the cursor on the next row that matches the filter, or that needs attention.
    mutating func jump(by direction: Int, at now: Moment, _ actions: inout [DashboardAction]) {
        if !filter.isEmpty { return jumpToMatch(by: direction, at: now, &actions) }
        if view == .ordered { return jumpToTroubleInOrder(by: direction, at: now) }
        guard present.connection == .live else {
            note = Note("the broker is away, and nobody else knows where tasks are", at: now)
            return
        }
        let tasks = store.attention
        guard !tasks.isEmpty else {
            note = Note("nothing needs attention", at: now)
            return
        }
        let present = lastJump.flatMap { tasks.firstIndex(of: $0) }
        let index = present.map { ($0 + direction + tasks.count) % tasks.count }
        let next = tasks[index ?? (direction > 0 ? 0 : tasks.count - 1)]
        lastJump = next
        // Of several jumps on their way the last one counts.
        searches = searches.filter { entry in
            if case .jump = entry.value { false } else { true }
        }
        actions.append(search(.id(next), .jump(from: cursorPlace)))
    }

    /// Opens the job of this task and all that is above it.
    mutating func open(job id: TaskID, slot: Int?) {
        mosaic = nil
        job = JobState(job: id, slot: slot, bodyHeight: layout.body.height)
    }

    private mutating func go(to task: TaskMatch) {
        mosaic = nil
        ordered = nil
        if let slot = task.slot { board.slot = slot }
        board.bound = task.job
        if !shows(task.job) { board.filter = "" }
        if task.path.isEmpty {
            // On the board a job is in sight; in another job's view it is not.
            if job?.job != task.job { job = nil }
            reveal(task)
            return
        }
        if job?.job != task.job { open(job: task.job, slot: task.slot) }
        reveal(task)
    }

    /// Puts the cursor on a task of the job that is open.
    mutating func reveal(_ task: TaskMatch) {
        guard var job else { return }
        job.reveal(task, store: store, bodyHeight: layout.body.height)
        self.job = job
    }
}
