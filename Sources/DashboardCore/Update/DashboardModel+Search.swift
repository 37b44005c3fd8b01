import ProgressBus
import TaskTree

/// What matches a filter anywhere in a job: the broker looks, as what is folded is not here.
extension DashboardModel {
    /// Asks how many tasks of the job match, or are in trouble where nothing is looked for; with a
    /// direction, goes to the next from the cursor on.
    mutating func searchJob(goingBy direction: Int? = nil, showsFirstPage: Bool = false) {
        guard let job else { return }
        // The bus knows what is in the job now, not what was.
        guard frozen == nil else { return goOnHere(by: direction) }
        guard present.connection == .live else {
            goOnHere(by: direction)
            return say("no broker answers; what is folded is not searched")
        }
        // The cursor is where it was: another answer would lead to the same task.
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

    /// Asks where the first children of the job are that are still there, to show their page.
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

    /// What is said where the broker has found no trouble in the job.
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

    /// How many of the rows match by themselves, as the broker counts.
    var hitsHere: Int {
        guard let job else { return 0 }
        let filter = TaskFilter(job.filter)
        return job.lines.count { line in
            guard var row = job.task(at: line, in: store).flatMap({ store.rows[$0] }) else {
                return false
            }
            (row.counts, row.attentionBelow) = (StateCounts(), 0)
            return filter.matches(row)
        }
    }

    /// Moves the cursor to the next row of the view that matches; the broker is not asked.
    private mutating func goOnHere(by direction: Int?) {
        if let direction { jumpToMatch(by: direction) }
    }
}

/// How many match a filter is being asked.
struct PendingHits: Sendable {
    var request: Int
    /// Where to put the cursor then: on the next hit, or on the one before.
    var direction: Int?
    /// Where the cursor was when it was asked.
    var place: CursorPlace
    /// Whether the dashboard turns to the page of the first hit and leaves the cursor on the job.
    var showsFirstPage = false
}
