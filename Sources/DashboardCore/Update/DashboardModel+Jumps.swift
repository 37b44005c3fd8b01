import ProgressBus
import TaskTree

/// Going to a task that is somewhere else.
extension DashboardModel {
    mutating func search(_ task: TaskSelector, _ purpose: PendingSearch) {
        lastRequest += 1
        searches[lastRequest] = purpose
        actions.append(.find(request: lastRequest, task))
    }

    mutating func found(_ request: Int, _ answer: Result<TaskMatch?, FollowError>) {
        guard let purpose = searches.removeValue(forKey: request) else { return }
        switch answer {
        case .success(let task): found(task, for: purpose)
        case .failure(let error): notKnown(purpose, because: error)
        }
    }

    private mutating func found(_ task: TaskMatch?, for purpose: PendingSearch) {
        switch purpose {
        case .cell(let cell, let opens):
            mosaic?.named = (cell, task)
            if opens, task != nil { actOnPicture { $0.openCell() } }
        case .name(let asked): keep(name: task?.title ?? "", of: asked)
        case .jump(let place):
            // A person who has moved the cursor meanwhile wants it to stay.
            guard place == cursorPlace else { return }
            guard let task else { return say("that task has left the bus") }
            actOnPicture(target: task.task) { $0.go(to: task) }
        case .open:
            guard let task else { return say("no task goes by \"\(options.opens ?? "")\"") }
            actOnPicture { model in
                model.board.slot = max(task.slot ?? 1, 1)
                model.open(job: task.job, slot: task.slot)
                model.reveal(task)
            }
        }
    }

    /// Says so where the person waits for it: whether there is such a task is not known.
    private mutating func notKnown(_ purpose: PendingSearch, because error: FollowError) {
        switch purpose {
        case .cell(_, opens: false): break
        case .cell, .open: say(error.description)
        case .jump(let place): if place == cursorPlace { say(error.description) }
        case .name(let asked): keep(name: "", of: asked)
        }
    }

    /// Where the cursor is; only the person changes it.
    var cursorPlace: CursorPlace {
        CursorPlace(view: view, job: job?.job ?? mosaic?.job, place: cursor)
    }

    /// Puts the cursor on the next row that matches the filter, or that needs attention.
    ///
    /// What the view shows comes first, from the cursor on; then what is elsewhere, in the order of
    /// the broker's list, which does not say where that is; then the rows before the cursor.
    mutating func jump(by direction: Int) {
        if !filter.isEmpty {
            return view == .job ? searchJob(goingBy: direction) : jumpToMatch(by: direction)
        }
        let here = troubledPlaces
        let isFurther = here.contains { ($0 - cursor) * direction > 0 }
        if view == .ordered || isFurther {
            return goOn(to: here, by: direction, orSay: "nothing needs attention")
        }
        guard present.connection == .live else {
            return say("no broker answers, and nobody else knows where tasks are")
        }
        guard let next = troubleElsewhere(than: here, by: direction) else {
            return goOn(to: here, by: direction, orSay: "nothing needs attention")
        }
        lastJump = next
        // Of several jumps on their way the last one counts.
        searches = searches.filter { entry in
            if case .jump = entry.value { false } else { true }
        }
        search(.id(next), .jump(from: cursorPlace))
    }

    /// The next task in trouble, after the last one that was gone to, that is in none of these
    /// places.
    private func troubleElsewhere(than here: [Int], by direction: Int) -> TaskID? {
        let shown = Set(here.compactMap(task(at:)))
        let tasks = store.attention
        let last = lastJump.flatMap { tasks.firstIndex(of: $0) }
        let first = direction > 0 ? last.map { $0 + 1 } ?? 0 : last ?? 0
        let inOrder = tasks.dropFirst(first) + tasks.prefix(first)
        func isElsewhere(_ task: TaskID) -> Bool { !shown.contains(task) }
        return direction > 0
            ? inOrder.first(where: isElsewhere) : inOrder.last(where: isElsewhere)
    }

    /// So many jobs are remembered.
    private static let mostFormerRoots = 32

    /// Opens the job of this task, unfolded as it was when it was left.
    mutating func open(job id: TaskID, slot: Int?) {
        mosaic = nil
        closeJob()
        let former = formerRoots.first { $0.task == id }
        job = JobState(job: id, slot: slot, bodyHeight: layout.body.height, unfolded: former)
    }

    /// Leaves the job that is open.
    mutating func closeJob() {
        guard let job else { return }
        formerRoots.removeAll { $0.task == job.job }
        // Before its children come, neither the person nor the dashboard has unfolded anything.
        if job.root.isSettled { formerRoots.append(job.root) }
        formerRoots.removeFirst(max(formerRoots.count - Self.mostFormerRoots, 0))
        self.job = nil
    }

    private mutating func go(to task: TaskMatch) {
        mosaic = nil
        ordered = nil
        if let slot = task.slot { board.slot = slot }
        board.bound = task.job
        if !shows(task.job) { board.filter = "" }
        if job?.job != task.job {
            closeJob()
            // On the board a job is in sight.
            if !task.path.isEmpty { open(job: task.job, slot: task.slot) }
        }
        reveal(task)
    }

    /// Puts the cursor on a task of the job that is open.
    mutating func reveal(_ task: TaskMatch) {
        inTree { $0.reveal(task, store: $1, bodyHeight: $2) }
    }
}

/// Why a task is looked for.
enum PendingSearch: Equatable, Sendable {
    /// To put the cursor on it, if that is still where it was.
    case jump(from: CursorPlace)
    /// To open its job.
    case open
    /// To name a cell of the mosaic, and to show its task in its tree where that was asked meanwhile.
    case cell(Int, opens: Bool)
    /// To say who has said something.
    case name(TaskID)
}

/// A place of the cursor in a view.
struct CursorPlace: Equatable, Sendable {
    var view: DashboardModel.View
    /// The job that is open, or whose mosaic is.
    var job: TaskID?
    var place: Int
}
