import ProgressBus
import TaskTree

/// Going to a task: to the next match in the view, or to a task anywhere on the bus.
extension DashboardModel {
    mutating func search(_ task: TaskSelector, _ purpose: PendingSearch) {
        let number = pending.nextNumber()
        pending.searches[number] = purpose
        actions.append(.find(request: number, task))
    }

    mutating func found(_ request: Int, _ answer: Result<TaskMatch?, FollowError>) {
        guard let purpose = pending.searches.removeValue(forKey: request) else { return }
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
        case .open:
            guard let task else { return say("no task goes by \"\(options.opens ?? "")\"") }
            actOnPicture { model in
                model.board.slot = max(task.slot ?? 1, 1)
                model.open(job: task.job, slot: task.slot)
                model.reveal(task)
            }
        }
    }

    /// Tells a waiting person that the search failed: whether the task exists is not known.
    private mutating func notKnown(_ purpose: PendingSearch, because error: FollowError) {
        switch purpose {
        case .cell(_, opens: false): break
        case .cell, .open: say(error.description)
        case .name(let asked): keep(name: "", of: asked)
        }
    }

    /// Where the cursor is, to find out whether the person has moved it.
    var cursorPlace: CursorPlace {
        CursorPlace(view: view, job: job?.job ?? mosaic?.job, place: cursor)
    }

    // MARK: - From one match to the next, in the view that is open

    /// The filter whose matches `n` and `N` go to: the one that is set, or else trouble.
    var soughtFilter: String { filter.isEmpty ? "!" : filter }

    /// Moves the cursor to the next match in this view; the first match follows the last.
    ///
    /// On the board the jump waits for pages that have not come. In a job the broker searches, as
    /// folded tasks are not here.
    mutating func jump(by direction: Int) {
        if view == .job {
            searchJob(goingBy: direction)
        } else if view == .board, frozen == nil, store.connection == .live, !isBoardComplete {
            seeking = direction
        } else {
            jumpToMatch(by: direction)
        }
    }

    /// Makes the jump that waited for pages; gives it up where the connection is lost.
    mutating func jumpOnceComplete() {
        guard let direction = seeking else { return }
        if store.connection != .live {
            seeking = nil
        } else if view == .board, isBoardComplete {
            jumpToMatch(by: direction)
        }
    }

    /// Skips screens without jobs until a screen has one, or until the person presses a key.
    ///
    /// Hosts of a fleet may own the first slots of the board and have no job. An empty screen has
    /// no row that could move.
    mutating func findFirstScreen() {
        guard view == .board, !board.isSettled, store.connection == .live else { return }
        let slots = board.slots(bodyHeight: layout.body.height)
        let first = slots.first { store.inSlot[$0] != nil }
        board.isSettled = first != nil
        let next = slots.upperBound
        let hasCome = slots.allSatisfy { store.members[.holding(slot: $0)] != nil }
        if let first {
            // On the first screen the cursor stays where it begins.
            if board.slot > 1 { moveCursor(to: first) }
        } else if hasCome, next <= store.highestSlot {
            moveCursor(near: next, by: 1)
        }
    }

    mutating func jumpToMatch(by direction: Int) {
        seeking = nil
        let places = places(matching: TaskFilter(soughtFilter))
        if let place = places.next(after: cursor, by: direction) { return moveCursor(to: place) }
        let words = filter.isEmpty ? "nothing here needs attention" : "nothing matches here"
        say(present.connection == .live ? words : "no broker answers; " + words)
    }

    /// The most jobs whose unfolded blocks are remembered.
    private static let mostFormerRoots = 32

    /// Opens a job, unfolded as the person left it.
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

    /// Puts the cursor on a task of the job that is open.
    mutating func reveal(_ task: TaskMatch) {
        inTree { $0.reveal(task, store: $1, bodyHeight: $2) }
    }
}

/// Searching a whole job: the broker does it, as folded tasks are not here.
extension DashboardModel {
    /// Asks the broker how many tasks of the job match the filter, or need attention if none is
    /// set.
    ///
    /// With a direction, the cursor then moves to the next match.
    mutating func searchJob(goingBy direction: Int? = nil, showsFirstPage: Bool = false) {
        guard let job else { return }
        // The broker would search the job as it is now, not as the frozen picture shows it.
        guard frozen == nil else { return goOnHere(by: direction) }
        guard present.connection == .live else {
            goOnHere(by: direction)
            return say("no broker answers; what is folded is not searched")
        }
        // The same search is under way: another answer would lead to the same task.
        if let asked = job.asked, let direction, asked.direction == direction { return }
        let number = pending.nextNumber()
        var asked = PendingHits(request: number, direction: direction, place: cursorPlace)
        asked.showsFirstPage = showsFirstPage
        self.job?.asked = asked
        let isPassed = job.hits?.next.isEmpty == true
        let search = TaskSearch(
            showsFirstPage ? job.filter : soughtFilter,
            in: job.job,
            after: isPassed ? job.hits?.reached : job.bound ?? job.line?.parent,
            backwards: direction == -1
        )
        actions.append(.search(request: number, search))
    }

    /// Asks the broker for the first task of the job that the filter shows, to turn to its page.
    mutating func findFirstPage() {
        guard present.connection == .live, frozen == nil else { return }
        searchJob(goingBy: 1, showsFirstPage: true)
    }

    mutating func searched(_ request: Int, _ answer: Result<SearchHits, FollowError>) {
        guard let asked = job?.asked, asked.request == request else { return }
        job?.asked = nil
        if asked.showsFirstPage { return turn(to: try? answer.get().next.first, asked) }
        // A person who has moved the cursor meanwhile wants it to stay.
        let direction = frozen == nil && asked.place == cursorPlace ? asked.direction : nil
        switch answer {
        case .failure(let error):
            job?.hits = nil
            goOnHere(by: direction)
            say(error.description)
        case .success(let hits):
            job?.hits = hits
            guard direction != nil else { return }
            if let next = hits.next.first {
                reveal(next)
            } else if hits.reached == nil {
                say(filter.isEmpty ? wordsForNoTrouble : "nothing matches in the job")
            } else {
                let looked = HumanNumbers.grouped(hits.looked)
                say("nothing matches in the next \(looked) tasks; n or N looks further")
            }
        }
    }

    /// The note if the broker has found no trouble in the job.
    private var wordsForNoTrouble: String {
        if let job, store.rows[job.job]?.attentionBelow ?? 0 > 0 {
            return "what needs attention in this job is not listed"
        }
        let isElsewhere = store.broker?.needingAttention ?? 0 > 0
        return "nothing in this job needs attention"
            + (isElsewhere ? "; Esc, then n goes to what does" : "")
    }

    /// Turns to the page of this child; the cursor stays on the job.
    private mutating func turn(to child: TaskMatch?, _ asked: PendingHits) {
        guard let child, frozen == nil, asked.place == cursorPlace else { return }
        reveal(child)
        inTree { $0.moveCursor(to: 0, store: $1, bodyHeight: $2) }
    }

    /// How many rows match without the tasks below them, as the broker counts.
    var hitsHere: Int {
        guard let job else { return 0 }
        let filter = TaskFilter(job.filter)
        return job.lines.count { line in
            guard var row = job.row(at: line, in: store) else { return false }
            (row.counts, row.attentionBelow) = (StateCounts(), 0)
            return filter.matches(row)
        }
    }

    /// Moves the cursor to the next row of the view that matches; the broker is not asked.
    private mutating func goOnHere(by direction: Int?) {
        if let direction { jumpToMatch(by: direction) }
    }
}
