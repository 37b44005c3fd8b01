import BusProtocol
import TaskTree

/// Finds the tasks of a job that pass a filter: only the broker has those that a viewer keeps
/// folded.
extension BrokerMachine {
    /// The bytes of a task's texts that one look goes over.
    private static let bytesOfLook = 100
    /// How many other looks take as long as one look at a task and its texts.
    private static let looksOfLook = 4

    mutating func answer(_ search: WireSearch, request: UInt64, of id: SessionID, to route: Route) {
        guard let job = search.job.taskID(sender: id), tree.job(of: job) == job,
            let tasks = tree.view(job)?.counts.sum
        else {
            let sentence = "There is no such job on this bus; look at its id again."
            return send(refusal(.unknownTask, sentence, request: request), to: route)
        }
        let owner = sessions.owner(of: id)
        let least = min(tasks, configuration.looksPerSearch) * Self.looksOfLook
        if let sentence = whyNoMoreLooks(of: owner, at: least) {
            return send(refusal(.busy, sentence, request: request), to: route)
        }
        let after = search.hasAfter ? search.after.taskID(sender: id) : nil
        let walk = TreeWalk(
            job: job,
            children: board.places,
            backwards: search.backwards,
            on: after,
            at: after.flatMap { line(from: job, to: $0) }.map { places(of: $0) } ?? []
        )
        var (found, looks) = hits(of: TaskFilter(search.filter), on: walk)
        commands.allowance.count(.looks(owner), looks * Self.looksOfLook)
        found.request = request
        send(.found(found), to: route)
    }

    /// The next hits, the number of all hits within the looks that one search may take, and the
    /// number of looks taken.
    private func hits(of filter: TaskFilter, on walk: TreeWalk) -> (found: WireFound, looks: Int) {
        var walk = walk
        var (next, hits, looked, looks) = ([TaskID](), 0, 0, 0)
        var reached: TaskID?
        let first = walk.next()
        var present = first
        var (treeCursor, recordCursor) = (TaskTable.Cursor(), TaskRecords.Cursor())
        // Neighbours have the same owner, and looking up a session is expensive.
        var owner: (session: SessionID, host: String)?
        repeat {
            guard looks < configuration.looksPerSearch else { break }
            (looked, looks, reached) = (looked + 1, looks + 1, present)
            if let view = tree.view(present, near: &treeCursor),
                let record = records.number(of: present, near: &recordCursor)
            {
                let session = view.reporter.session
                if owner?.session != session {
                    owner = (session, sessions[session]?.hello.process.host ?? "")
                }
                let task = SearchedTask(view, key: records[record].key, host: owner?.host ?? "")
                looks += max(filter.looks * (1 + task.bytes / Self.bytesOfLook) - 1, 0)
                if filter.matches(task) {
                    hits += 1
                    if next.count < Self.foundTasks { next.append(present) }
                }
            }
            present = walk.next()
        } while present != first
        var found = WireFound()
        found.tasks = next.map { self.found($0) }
        found.searched.hits = UInt64(hits)
        found.searched.looked = UInt64(looked)
        if present != first, let reached { found.searched.reached = WireTaskRef(reached) }
        return (found, looks)
    }
}

/// A task as the filter sees it, without those below it: the search looks at each by itself.
private struct SearchedTask: FilteredTask {
    private let view: TaskView
    let key: String
    let host: String

    init(_ view: TaskView, key: String, host: String) {
        self.view = view
        self.key = key.isEmpty ? view.description.key : key
        let own = view.description.host
        self.host = view.state == .waiting ? "" : own.isEmpty ? host : own
    }

    var title: String { view.description.title }
    var detail: String { view.detail }
    var needsAttention: Bool { view.needsAttention }
    var attentionBelow: Int { 0 }
    var counts: StateCounts { StateCounts() }
    var condition: TaskCondition {
        TaskCondition(view.state, isStalled: view.isStalled, isSilent: view.isSilent)
    }

    /// The bytes of all its texts.
    var bytes: Int {
        title.utf8.count + detail.utf8.count + key.utf8.count + host.utf8.count
    }
}
