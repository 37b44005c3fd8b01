import TaskTree
import Testing

/// What a task is taken to be.
@Suite struct StateTests {
    var tree = ProgressTree()
    let job = task(1)

    init() {
        tree.describe(job, .job(), version: 1)
    }

    private mutating func settled(_ id: TaskID) throws -> TaskView {
        _ = tree.settle()
        return try #require(tree.view(id))
    }

    @Test mutating func `success waits for unfinished children and then holds`() throws {
        tree.describe(task(2), .child(of: job), version: 1)
        tree.describe(task(1, of: 2), .child(of: job), version: 1)
        tree.state(job, .succeeded, version: 1)
        var view = try settled(job)
        #expect(view.state == .running)
        #expect(view.note == "waiting for 2 children")
        tree.state(task(2), .succeeded, version: 1)
        view = try settled(job)
        #expect(view.note == "waiting for 1 child")
        tree.state(task(1, of: 2), .succeeded, version: 1)
        let changes = tree.settle()
        #expect(changes.ended == [task(1, of: 2), job] || changes.ended.contains(job))
        view = try settled(job)
        #expect(view.state == .succeeded)
        #expect(view.fraction == 1)
        #expect(view.note.isEmpty)
        #expect(!view.needsAttention)
    }

    @Test mutating func `what is lost with its parent is no trouble of its own`() throws {
        tree.describe(task(2), .child(of: job), version: 1)
        tree.describe(task(3), .child(of: task(2)), version: 1)
        tree.describe(task(1, of: 2), .child(of: job), version: 1)
        for id in [job, task(2), task(3)] { tree.infer(.lost(reason: "gone"), about: id) }
        var view = try settled(job)
        #expect(view.needsAttention)
        #expect(view.attention == 0)
        tree.infer(.lost(reason: "gone too"), about: task(1, of: 2))
        view = try settled(job)
        #expect(view.attention == 1, "another process")
        // The job speaks again: its children are lost by themselves now.
        tree.state(job, .running, version: 2)
        view = try settled(job)
        #expect(!view.needsAttention)
        #expect(view.attention == 2)
        #expect(view.counts.lost == 3)
    }

    @Test mutating func `success over failed and lost children needs attention until dismissed`()
        throws
    {
        for index in 2...4 { tree.describe(task(index, of: 2), .child(of: job), version: 1) }
        tree.state(job, .succeeded, version: 1)
        tree.state(task(2, of: 2), .failed(reason: "disk full"), version: 2)
        tree.infer(.lost(reason: "gone"), about: task(3, of: 2))
        tree.state(task(4, of: 2), .succeeded, version: 2)
        var view = try settled(job)
        #expect(view.state == .succeeded)
        #expect(view.note == "succeeded, 1 child failed, 1 lost")
        #expect(view.needsAttention)
        #expect(view.attention == 2)
        #expect(tree.view(task(2, of: 2))?.reason == "disk full")
        tree.setDismissed(task(2, of: 2))
        tree.setDismissed(job)
        view = try settled(job)
        #expect(view.attention == 1)
        #expect(!view.needsAttention)
    }

    @Test mutating func `a failed parent ends unfinished descendants of its session only`() throws {
        tree.describe(task(1, of: 2), .child(of: job), version: 1)
        tree.describe(task(2), .child(of: task(1, of: 2)), version: 1)
        tree.describe(task(3), .child(of: job), version: 1)
        tree.describe(task(4), .ticket(of: job), version: 1)
        tree.state(task(3), .succeeded, version: 2)
        tree.state(job, .failed(reason: "no"), version: 3)
        let view = try settled(job)
        #expect(view.state == .failed)
        #expect(tree.state(of: task(1, of: 2)) == .running)
        #expect(tree.view(task(2))?.reason == "parent ended")
        #expect(tree.state(of: task(2)) == .cancelled)
        #expect(tree.state(of: task(3)) == .succeeded)
        #expect(tree.state(of: task(4)) == .waiting)
        tree.infer(.cancelled(reason: "never begun"), about: task(4))
        let ticket = try settled(task(4))
        #expect(ticket.reason == "never begun")
        #expect(tree.liveDescendants(of: job) == 1)
    }

    @Test mutating func `a failed holder ends its session's children of the ticket itself`() throws
    {
        let ticket = task(2)
        tree.describe(ticket, .ticket(of: job), version: 1)
        tree.bind(task(1, of: 2), to: .holder(of: ticket, attempt: 1))
        tree.describe(task(2, of: 2), .child(of: ticket), version: 1)
        _ = tree.settle()
        tree.state(task(1, of: 2), .failed(reason: "no"), version: 1)
        let ended = tree.settle().ended
        #expect(Set(ended) == [ticket, task(2, of: 2)])
        tree.bind(task(1, of: 3), to: .holder(of: ticket, attempt: 2))
        let reopened = tree.settle().reopened
        #expect(Set(reopened) == [ticket, task(2, of: 2)])
    }

    @Test mutating func `any word of the owner withdraws that it is lost`() throws {
        tree.infer(.lost(reason: "10 s of silence"), about: job)
        let lost = try settled(job)
        #expect(lost.reason == "10 s of silence")
        tree.measure(job, TaskAmounts(completed: 1, total: 2), version: 7)
        let changes = tree.settle()
        #expect(changes.reopened == [job])
        #expect(tree.state(of: job) == .running)
    }

    @Test mutating func `an attempt takes the place of the former one and of its children`() throws
    {
        let ticket = task(2)
        let (first, second) = (task(1, of: 2), task(1, of: 3))
        tree.describe(ticket, .ticket(of: job, share: 5), version: 1)
        tree.measure(job, TaskAmounts(completed: 0, total: 10), version: 1)
        let unredeemed = try settled(ticket)
        #expect(unredeemed.state == .waiting)
        #expect(tree.view(ticket)?.attempt == 0)
        // The child's words come before its parent's, the parent's before the binding.
        tree.describe(task(2, of: 2), .child(of: first), version: 1)
        tree.measure(task(2, of: 2), TaskAmounts(completed: 1, total: 1), version: 1)
        tree.describe(first, .redeemer(of: ticket), version: 1)
        _ = tree.settle()
        #expect(tree.unattached == [first, task(2, of: 2)].sorted())
        tree.bind(first, to: .holder(of: ticket, attempt: 1))
        let counted = try settled(job)
        #expect(counted.fraction == 0.5)
        #expect(tree.view(ticket)?.state == .running)
        #expect(tree.view(ticket)?.reporter == first)
        #expect(tree.view(ticket)?.description.title == "ticket")
        #expect(tree.children(of: ticket) == [task(2, of: 2)])
        #expect(tree.parent(of: task(2, of: 2)) == ticket)
        #expect(tree.taskID(of: first) == ticket)
        tree.infer(.lost(reason: "gone"), about: first)
        tree.bind(second, to: .holder(of: ticket, attempt: 2))
        tree.describe(second, .redeemer(of: ticket), version: 1)
        let view = try settled(ticket)
        #expect(view.attempt == 2)
        #expect(view.earlierAttempts == 1)
        #expect(view.state == .running)
        #expect(tree.view(job)?.fraction == 0)
        #expect(tree.view(job)?.counts.running == 1)
        #expect(tree.children(of: ticket).isEmpty)
        #expect(tree.formerAttemptChildren(of: ticket) == [task(2, of: 2)])
        // It still runs, so it keeps the job alive.
        #expect(tree.liveDescendants(of: job) == 2)
        tree.state(task(2, of: 2), .succeeded, version: 2)
        _ = tree.settle()
        #expect(tree.liveDescendants(of: job) == 1)
    }

    @Test mutating func `who redeems a held ticket is its child, and nobody after success`() throws
    {
        let ticket = task(2)
        tree.describe(ticket, .ticket(of: job), version: 1)
        for index in 1...3 {
            tree.describe(task(index, of: 2), .redeemer(of: ticket), version: 1)
            tree.measure(task(index, of: 2), TaskAmounts(completed: 1, total: 2), version: 1)
        }
        tree.bind(task(1, of: 2), to: .holder(of: ticket, attempt: 1))
        tree.bind(task(2, of: 2), to: .child(of: ticket))
        tree.bind(task(3, of: 2), to: .inert)
        tree.describe(task(9, of: 2), .child(of: task(3, of: 2)), version: 1)
        let view = try settled(ticket)
        #expect(view.childCount == 1)
        #expect(view.fraction == 0.75)
        #expect(tree.view(task(2, of: 2))?.description.share == 1)
        #expect(tree.view(task(3, of: 2)) == nil)
        #expect(tree.taskID(of: task(3, of: 2)) == nil)
        #expect(tree.unattached.isEmpty)
    }

    @Test mutating func `paused, cancelling, silent and stalled are shown while a task lives`()
        throws
    {
        tree.describe(task(2), .child(of: job), version: 1)
        tree.setStalled(task(2), true)
        var view = try settled(job)
        #expect(view.isStalled && view.needsAttention)
        #expect(view.attention == 0, "the job says it")
        tree.describe(task(3), .child(of: job), version: 1)
        view = try settled(job)
        #expect(!view.isStalled)
        #expect((view.runningDescendants, view.stalledDescendants) == (2, 1))
        #expect(view.attention == 1)
        tree.silence(session(1), true)
        view = try settled(job)
        #expect(view.isSilent && !view.isStalled && view.needsAttention)
        #expect(view.attention == 0, "one silence is one trouble")
        #expect(tree.totals.needingAttention == 1)
        tree.silence(session(1), false)
        tree.setCancelling(task(2), true)
        tree.state(task(3), .paused, version: 2)
        _ = tree.settle()
        #expect(tree.state(of: task(2)) == .cancelling)
        #expect(tree.state(of: task(3)) == .paused)
        tree.state(task(2), .cancelled(reason: "asked"), version: 2)
        tree.state(task(3), .succeeded, version: 3)
        view = try settled(job)
        #expect((view.counts.cancelled, view.counts.succeeded) == (1, 1))
        #expect(view.attention == 0)
    }
}
