import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// A filter in a job: what matches in folded branches is counted and gone to by the broker's answers.
@Suite("Searching a job")
struct SearchTests {
    private static let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 60 }

    /// Twelve branches in a job that is open; all that is below them is folded.
    private func stage(columns: Int = 100) -> Stage {
        var stage = Stage(columns: columns)
        let branches = (1...12).map { number in
            TaskSnapshot.child(100 + number, of: Self.job, "branch \(number).", place: number) {
                $0.counts.running = 9
                $0.counts.failed = number == 4 ? 1 : 0
            }
        }
        let group = TaskSnapshot.child(200, of: branches[3], "group", place: 3) {
            $0.counts.failed = 1
        }
        let deep = TaskSnapshot.child(500, of: group, "deep", place: 2) { $0.state = .failed }
        stage.report([Self.job] + branches + [group, deep])
        stage.press(.enter)
        return stage
    }

    /// The stage with a filter that has been taken.
    private func filtered(_ filter: String = "failed") -> Stage {
        var stage = stage()
        stage.type("/" + filter)
        stage.press(.enter)
        return stage
    }

    private func searches(_ stage: Stage) -> [(request: Int, search: TaskSearch)] {
        stage.actions.compactMap {
            if case .search(let request, let search) = $0 { (request, search) } else { nil }
        }
    }

    /// A task three levels below the job, and the answer that names it.
    private func hit(
        _ number: Int = 500,
        below path: [Int] = [1, 104, 200],
        places: [Int] = [4, 3, 2],
        count: Int = 41,
        reached: Int? = nil
    ) -> SearchHits {
        let match = TaskMatch(
            task: .number(number),
            job: .number(1),
            title: "deep",
            slot: 1,
            path: path.map { .number($0) },
            places: places
        )
        return SearchHits(
            next: [match],
            count: count,
            looked: 50_000,
            reached: reached.map { .number($0) }
        )
    }

    private func answer(_ stage: inout Stage, _ result: Result<SearchHits, FollowError>) {
        guard let request = searches(stage).last?.request else {
            Issue.record("nothing was asked")
            return
        }
        stage.give(.searched(request: request, result))
    }

    @Test(
        "Enter asks how many there are, typing does not; the footer says how many are here and in all"
    )
    func count() {
        var stage = stage()
        stage.type("/failed")
        #expect(searches(stage).isEmpty)
        stage.press(.enter)
        #expect(searches(stage).map(\.search.filter) == ["failed"])
        #expect(searches(stage).map(\.search.job) == [.number(1)])
        #expect(stage.screen.contains("/failed: 1 hit; E unfolds more"), "\(stage.screen)")
        let before = stage.grid
        answer(&stage, .success(hit()))
        #expect(stage.screen.contains("/failed: 0 here, 41 in the job"), "\(stage.screen)")
        for row in 0..<before.rows - 1 { #expect(stage.grid.line(row) == before.line(row)) }
        stage.change(.number(1)) { $0.childrenLeftOut = 1_540 }
        #expect(stage.screen.contains("41 in the job, 1,540 not listed"), "\(stage.screen)")
        stage.press(.escape)
        #expect(!stage.screen.contains("41"))
    }

    @Test("n asks for the next from the cursor on, and opens the way to it; N for the one before")
    func next() {
        var stage = filtered()
        answer(&stage, .success(hit()))
        stage.type("n")
        #expect(
            searches(stage).last?.search
                == TaskSearch("failed", in: .number(1), after: .number(104))
        )
        answer(&stage, .success(hit()))
        #expect(stage.model.job?.bound == .number(500))
        #expect(
            stage.model.job?.line?.path == [4, 3] && stage.model.job?.line?.content == .place(2)
        )
        #expect(stage.screen.contains("/failed: 1 here, 41 in the job"), "\(stage.screen)")
        stage.type("N")
        let back = TaskSearch("failed", in: .number(1), after: .number(500), backwards: true)
        #expect(searches(stage).last?.search == back)
    }

    @Test("the next is asked for once, while the cursor is where it was")
    func once() {
        var stage = filtered()
        answer(&stage, .success(hit()))
        stage.type("nnn")
        #expect(searches(stage).count == 2)
        stage.type("N")
        #expect(searches(stage).count == 3)
        // The answer to what was asked before is not waited for any more.
        stage.give(.searched(request: searches(stage)[1].request, .success(hit())))
        #expect(stage.model.job?.bound == .number(104))
    }

    @Test("a cursor that has been moved meanwhile stays, and so does what was unfolded")
    func moved() {
        var stage = filtered("branch")
        stage.type("n")
        stage.press(.down)
        let (before, bound) = (stage.grid, stage.model.job?.bound)
        answer(&stage, .success(hit(count: 1)))
        #expect(stage.model.job?.bound == bound)
        for row in 0..<before.rows - 1 { #expect(stage.grid.line(row) == before.line(row)) }
    }

    @Test("a search of too many tasks: at least so many, and the next one goes on where it ended")
    func cut() {
        var stage = filtered()
        answer(&stage, .success(hit(reached: 300)))
        #expect(stage.screen.contains("0 here, at least 41 in the job"), "\(stage.screen)")
        stage.type("n")
        let none = SearchHits(next: [], count: 0, looked: 50_000, reached: .number(300))
        answer(&stage, .success(none))
        #expect(
            stage.screen.contains("nothing matches in the next 50,000 tasks; n or N looks further")
        )
        stage.type("n")
        #expect(searches(stage).last?.search.after == .number(300))
        answer(&stage, .success(SearchHits(next: [], count: 0, looked: 9)))
        #expect(stage.screen.contains("nothing matches in the job"))
    }

    @Test("a broker that cannot search: it is said, and n goes on in the rows that there are")
    func old() {
        var stage = filtered("branch")
        stage.press(.home)
        stage.type("n")
        answer(&stage, .failure(FollowError(.refused, "this broker is too old to search")))
        #expect(stage.model.job?.bound == .number(101))
        #expect(stage.screen.contains("this broker is too old to search"))
        #expect(stage.screen.contains("/branch: 12 hits; E unfolds more"), "\(stage.screen)")
    }

    @Test("without a broker it is said that nobody searches, and n goes on in the rows")
    func away() {
        var stage = stage()
        stage.connection = .reconnecting
        stage.deliver()
        stage.type("/branch")
        stage.press(.enter)
        #expect(searches(stage).isEmpty)
        #expect(stage.screen.contains("no broker answers; what is folded is not searched"))
        stage.press(.home)
        stage.type("n")
        #expect(stage.model.job?.bound == .number(101))
    }

    @Test("in a frozen picture n goes on in its rows, and nothing is asked")
    func frozen() {
        var stage = filtered("branch")
        stage.press(.home)
        stage.type("fn")
        #expect(stage.model.job?.bound == .number(101) && searches(stage).count == 1)
    }

    @Test("however many are gone to, no more is unfolded than E unfolds")
    func bounded() {
        var stage = filtered()
        for number in 1...400 {
            stage.type("n")
            var next = hit(1_000 + number)
            next.next[0].path[2] = .number(2_000 + number)
            next.next[0].places[1] = number
            answer(&stage, .success(next))
            #expect(stage.model.job?.bound == .number(1_000 + number))
        }
        #expect(stage.model.job?.blocks.count ?? .max <= JobState.mostUnfolded)
    }

    @Test("the board is searched in its rows as before")
    func board() {
        var stage = stage()
        stage.press(.escape)
        stage.type("/job")
        stage.press(.enter)
        #expect(searches(stage).isEmpty && stage.screen.contains("/job: 1 hit"))
    }

    @Test(
        "a job whose first children have left opens at the first that is there, the cursor on the job",
        arguments: [false, true]
    )
    func opening(movesMeanwhile: Bool) {
        let job = TaskSnapshot.job(1, "Job") {
            ($0.counts.running, $0.counts.succeeded, $0.childrenLeftOut) = (100, 100, 100)
        }
        var stage = Stage(columns: 100)
        stage.report([job])
        stage.press(.enter)
        stage.report([job, .child(500, of: job, "late", place: 101)])
        let first = TaskSearch("", in: .number(1), after: .number(1))
        #expect(searches(stage).map(\.search) == [first])
        if movesMeanwhile { stage.press(.down) }
        answer(&stage, .success(hit(500, below: [1], places: [101])))
        #expect(stage.screen.contains("late") == !movesMeanwhile, "\(stage.screen)")
        #expect((stage.model.cursor == 0) == !movesMeanwhile)
        #expect(!stage.screen.contains("in the job"))
        #expect(searches(stage).count == 1)
    }

    @Test("Home goes to the first page that has a child, the cursor on the job")
    func home() {
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 120 }
        let children = (1...120).map {
            TaskSnapshot.child(100 + $0, of: job, "child \($0).", place: $0)
        }
        var stage = Stage(columns: 100)
        stage.report([job] + children)
        stage.press(.enter, .end, .pageDown)
        #expect(!stage.screen.contains("child 1."), "\(stage.screen)")
        stage.press(.home)
        answer(&stage, .success(hit(101, below: [1], places: [1])))
        #expect(stage.screen.contains("child 1.") && stage.model.cursor == 0, "\(stage.screen)")
    }
}
