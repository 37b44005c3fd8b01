import BusProtocol
import Synchronization
import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

@Suite("Folding in the client")
struct FoldingTests {
    @Test("Children that begin and end between two ticks become sums of their parent")
    func shortChildren() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin(total: 10)
        for number in 0..<10_000 {
            let child = stage.begin("file \(number)", under: job, total: 3) { $0.unit = "bytes" }
            stage.advance(child, by: 3)
            stage.end(child)
        }
        #expect(stage.machine.tasks.count == 1)
        stage.pass(milliseconds: 60)
        let fold = try #require(stage.folds.last)
        #expect(fold.succeeded == 10_000)
        #expect(fold.share == 10_000)
        #expect(fold.sums.map(\.completed) == [30_000])
        #expect(fold.removed.isEmpty, "nobody has heard of them")
        #expect(stage.endings.isEmpty)
        try stage.checkFrames()
    }

    @Test("A short child that failed, has a child, or wrote a line keeps a row of its own")
    func worthARow() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let failed = stage.begin("failed", under: job)
        stage.end(failed, .failed(reason: "x"))
        let parent = stage.begin("parent", under: job)
        stage.begin("running", under: parent)
        stage.end(parent)
        let logged = stage.begin("logged", under: job)
        stage.machine.log("line", of: logged, at: stage.now)
        stage.end(logged)
        #expect(stage.machine.tasks[failed] != nil)
        #expect(stage.machine.tasks[parent] != nil)
        #expect(stage.machine.tasks[logged] != nil)
        stage.pass(milliseconds: 60)
        #expect(Set(stage.endings.map(\.description_p.index)) == [failed, parent, logged])
    }

    @Test("What runs elsewhere, and what is below it, keeps a row that says where")
    func elsewhere() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let command = stage.begin("make", under: job) { $0.options.host = "render-1" }
        let part = stage.begin("compile", under: command)
        let other = stage.begin("copy", under: command) { $0.options.host = "store" }
        for child in [part, other, command] { stage.end(child) }
        stage.pass(milliseconds: 60)
        let hosts = Dictionary(
            uniqueKeysWithValues: stage.endings.map {
                ($0.description_p.index, $0.description_p.host)
            }
        )
        #expect(hosts == [command: "render-1", part: "render-1", other: "store"])
    }

    @Test("A child that lived longer than a tick is kept for a broker that comes later")
    func longChildAlone() {
        var stage = Stage()
        let job = stage.begin()
        let child = stage.begin(under: job)
        stage.now = stage.now.later(by: 60_000_000)
        stage.end(child)
        #expect(stage.machine.tasks[child] != nil)
        stage.connect()
        #expect(stage.endings.map(\.description_p.index) == [child])
    }

    @Test("Beyond 1,000 ended children the oldest are folded, failed ones last")
    func oldestFirst() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        var children: [UInt64] = []
        for number in 0..<1_500 {
            let child = stage.begin("\(number)", under: job)
            children.append(child)
            if number % 100 == 0 { stage.pass(milliseconds: 60) }
        }
        stage.pass(milliseconds: 60)
        for (number, child) in children.enumerated() {
            stage.end(child, number < 10 ? .failed(reason: "x") : .succeeded)
            if number % 100 == 0 { stage.pass(milliseconds: 60) }
        }
        stage.pass(milliseconds: 60)
        #expect(stage.machine.tasks.count == 1_001)
        #expect(children[..<10].allSatisfy { stage.machine.tasks[$0] != nil })
        let fold = try #require(stage.folds.last)
        #expect(fold.succeeded == 500)
        #expect(fold.failed == 0)
        #expect(Set(fold.removed).isSuperset(of: children[400..<510]))
        try stage.checkFrames()
    }

    @Test("Removed indices are told until a broker has acknowledged them")
    func removedUntilAcknowledged() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let children = (0..<1_003).map { stage.begin("\($0)", under: job) }
        stage.pass(milliseconds: 60)
        for child in children[..<1_002] { stage.end(child) }
        stage.pass(milliseconds: 60)
        #expect(try #require(stage.folds.last).removed == Array(children[..<2]))
        stage.end(children[1_002])
        stage.pass(milliseconds: 60)
        #expect(try #require(stage.folds.last).removed == Array(children[..<3]))
        stage.journalEverything()
        #expect(stage.machine.tasks[job]?.fold?.removed == [])
        #expect(stage.machine.endings.isAllAcknowledged)
    }

    @Test("Very many shown children that end at once are folded in steps; no frame names too many")
    func manyAtOnce() throws {
        var stage = Stage()
        stage.connect()
        let jobs = [stage.begin(), stage.begin()]
        var children: [UInt64] = []
        for _ in 0..<40_000 { children += jobs.map { stage.begin(under: $0) } }
        stage.pass(milliseconds: 60)
        for child in children { stage.end(child) }
        for job in jobs {
            #expect(stage.machine.tasks[job]?.fold?.removed.count == FoldBook.removedLimit)
        }
        stage.unsubscribe()
        stage.connect()
        for _ in 0..<100 where !stage.machine.endings.isAllAcknowledged {
            stage.pass(milliseconds: 60)
            stage.journalEverything()
        }
        #expect(stage.machine.endings.isAllAcknowledged)
        try stage.checkFrames()
        let left = children.filter { stage.machine.tasks[$0] != nil }
        #expect(left.count == 2 * ReportingMachine.endedChildrenLimit)
        // Whoever was shown and has no row left was named.
        #expect(Set(stage.folds.flatMap(\.removed)) == Set(children).subtracting(left))
        #expect(stage.folds.map(\.succeeded).max() == 40_000 - UInt64(left.count / 2))
    }

    @Test("A job is not forgotten before its folds were acknowledged")
    func foldsHoldJobs() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.end(stage.begin(under: job))
        stage.end(job)
        stage.pass(milliseconds: 60)
        #expect(stage.machine.tasks.count == 1)
        stage.journalEverything()
        #expect(stage.machine.tasks.isEmpty)
    }

    @Test("A withdrawn child goes as if it had never begun, whether it was shown or not")
    func withdrawn() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let shown = stage.begin(under: job, total: 100) { $0.unit = "files" }
        stage.advance(shown, by: 40)
        stage.pass(milliseconds: 60)
        stage.withdraw(shown)
        stage.withdraw(stage.begin(under: job, total: 7))
        stage.pass(milliseconds: 60)
        #expect(stage.machine.tasks.count == 1)
        let fold = try #require(stage.folds.last)
        #expect(fold.removed == [shown])
        #expect(fold.share == 0)
        #expect(fold.succeeded + fold.failed + fold.cancelled == 0)
        #expect(fold.sums.isEmpty)
        try stage.checkFrames()
    }

    @Test("A withdrawn child with children of its own is cancelled")
    func withdrawnParent() {
        var stage = Stage()
        stage.connect()
        let parent = stage.begin(under: stage.begin())
        stage.begin(under: parent)
        stage.withdraw(parent)
        #expect(stage.machine.tasks[parent]?.state == .cancelled(reason: ""))
    }

    @Test("Ended parents are folded together with what was below them")
    func families() throws {
        var stage = Stage()
        let job = stage.begin(total: 5)
        for _ in 0..<3_000 {
            let parent = stage.begin(under: job)
            stage.end(stage.begin(under: parent) { $0.unit = "files" })
            stage.now = stage.now.later(by: 60_000_000)
            stage.end(parent)
        }
        #expect(stage.machine.tasks.count <= 1_001)
        stage.connect()
        let fold = try #require(stage.reports.flatMap(\.folds).first { $0.parent.index == job })
        #expect(fold.succeeded == 4_000)
        #expect(fold.share == 2_000)
    }

    @Test("Millions of children without a broker cost no memory")
    func bounded() {
        var stage = Stage()
        let job = stage.begin()
        for number in 0..<100_000 {
            let child = stage.begin(under: job)
            if number % 2 == 0 { stage.now = stage.now.later(by: 60_000_000) }
            stage.end(child)
        }
        #expect(stage.machine.tasks.count <= ReportingMachine.endedChildrenLimit + 1)
        #expect(stage.machine.reports.changed.isEmpty)
        #expect(stage.machine.endings.queue.isEmpty)
        #expect(stage.machine.endings.unacknowledged.count <= 1_001)
        #expect(stage.machine.tasks[job]?.fold?.removed.isEmpty == true)
    }

    /// Plays a random job once with folding at full strength and once with a limit that nothing
    /// reaches, feeds both to a tree, and compares what the job's row says.
    @Test("Folding changes no number", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func changesNothing(seed: UInt64) throws {
        let folded = try numbers(seed: seed, lifetime: 1_000_000)
        let plain = try numbers(seed: seed, lifetime: 60_000_000)
        #expect(folded.isFolded)
        #expect(!plain.isFolded)
        #expect(folded.view.fraction == plain.view.fraction, "seed \(seed)")
        #expect(folded.view.counts == plain.view.counts, "seed \(seed)")
        #expect(folded.view.sums == plain.view.sums, "seed \(seed)")
    }

    private func numbers(
        seed: UInt64,
        lifetime: Int64
    ) throws -> (view: TaskView, isFolded: Bool) {
        var random = SplitMix64(seed: seed)
        var stage = Stage()
        let job = stage.begin("job", total: .random(in: 1...900, using: &random))
        stage.advance(job, by: .random(in: 0...20, using: &random))
        for _ in 0..<600 {
            let total = Bool.random(using: &random) ? Int64.random(in: 0...50, using: &random) : nil
            let share = Int64.random(in: 0...4, using: &random)
            let child = stage.begin(under: job, total: total) {
                $0.share = share
                $0.unit = share == 2 ? "bytes" : ""
            }
            stage.advance(child, by: .random(in: 0...60, using: &random))
            stage.now = stage.now.later(by: lifetime)
            stage.end(child, Bool.random(using: &random) ? .succeeded : .cancelled(reason: ""))
        }
        stage.connect()
        stage.pass(milliseconds: 100)
        var tree = ProgressTree()
        for report in stage.reports { tree.take(report) }
        for frame in stage.frames { tree.take(frame.endings) }
        _ = tree.settle()
        let view = try #require(tree.view(TaskID(index: job, session: Stage.session)))
        return (view, stage.machine.tasks[job]?.fold != nil)
    }
}

/// As much of a broker as it takes to see numbers.
extension ProgressTree {
    mutating func take(_ report: WireReport) {
        for row in report.descriptions {
            let id = TaskID(index: row.index, session: Stage.session)
            describe(id, row.taskDescription(sender: Stage.session), version: report.sequence)
        }
        for (row, index) in report.amountIndex.enumerated() {
            let total = report.total[row] < 0 ? nil : report.total[row]
            measure(
                TaskID(index: index, session: Stage.session),
                TaskAmounts(completed: report.completed[row], total: total),
                version: report.sequence
            )
        }
        for row in report.folds { take(row, version: report.sequence) }
    }

    mutating func take(_ endings: WireEndings) {
        for row in endings.endings {
            let id = TaskID(index: row.description_p.index, session: Stage.session)
            let words = row.description_p.taskDescription(sender: Stage.session)
            describe(id, words, version: endings.sequence)
            measure(id, row.amounts, version: endings.sequence)
            state(id, row.statedState, version: endings.sequence)
        }
        for row in endings.folds { take(row, version: endings.sequence) }
    }

    private mutating func take(_ row: WireFold, version: UInt64) {
        let parent = TaskID(index: row.parent.index, session: Stage.session)
        fold(Stage.session, under: parent, row.folded(), version: version)
    }
}
