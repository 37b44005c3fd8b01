import BusProtocol
package import TaskTree

/// Which task a text means, and the way to it.
extension BrokerMachine {
    mutating func answer(_ find: WireFind, of id: SessionID, to route: Route, now: Moment) {
        let limit = configuration.findsPerSecond
        // Searches of brokers for a task's owner are not counted: they cost little, and must not
        // keep viewers of other hosts waiting.
        let isOwnerSought =
            id == board.fleet.bridge
            && [Self.ownerPrefix, Self.endedPrefix].contains(where: find.text.hasPrefix)
        guard isOwnerSought || commands.allowance.spend(.find(id), limit: limit) else {
            let sentence = "A session may look for \(limit) tasks in a second; ask more slowly."
            return send(refusal(.busy, sentence, request: find.request), to: route)
        }
        // A broker that has just begun may have the task from the journal, not settled yet.
        settleForDecision(now: now)
        guard !find.hasSearch else {
            let job = find.search.job.taskID(sender: id)
            if passOn(.find(find), about: job, of: id, to: route, now: now) { return }
            return answer(find.search, request: find.request, of: id, to: route)
        }
        let matches = self.find(find.text)
        if matches.isEmpty, let task = namedTask(find.text),
            passOn(.find(find), about: task, of: id, to: route, now: now)
        {
            return
        }
        var found = WireFound()
        found.request = find.request
        found.tasks = matches.prefix(Self.foundTasks).map(found(_:))
        send(.found(found), to: route)
    }

    /// Whether a session of this broker has described the task.
    private func isDescribedHere(_ id: TaskID) -> Bool {
        detached.owns(id) || sessions[id.session]?.way.broker == nil && isDescribed(id)
    }

    /// The task whose whole id is in a text: the job in `cell:N@JOBID`.
    func namedTask(_ text: String) -> TaskID? {
        if text.hasPrefix("cell:") {
            return text.split(separator: "@").last.flatMap { TaskID(String($0)) }
        }
        return TaskID(text.hasPrefix("id:") ? String(text.dropFirst(3)) : text)
    }

    /// How many tasks an answer names at most.
    static let foundTasks = 20

    func found(_ id: TaskID) -> WireFoundTask {
        if let elsewhere = foundElsewhere(id) { return elsewhere }
        var found = WireFoundTask()
        found.task = WireTaskRef(id)
        if let view = tree.view(id) { found.title = view.description.title }
        found.key = records[id]?.key ?? ""
        guard let job = tree.job(of: id) else { return found }
        found.job = WireTaskRef(job)
        if let slot = records[job]?.slot {
            found.slot = UInt32(clamping: board.pages.shown(slot: slot))
        }
        guard let line = line(from: job, to: id) else { return found }
        found.path = line.dropLast().map { WireTaskRef($0) }
        found.place = places(of: line).map { UInt32(clamping: $0) }
        return found
    }

    /// The tasks from a job down to one of its tasks; `nil` where that is none.
    func line(from job: TaskID, to id: TaskID) -> [TaskID]? {
        var line = [id]
        while let last = line.last, last != job, line.count <= ProtocolLimits.depth,
            let parent = tree.parent(of: last)
        {
            line.append(parent)
        }
        return line.last == job ? line.reversed() : nil
    }

    /// The place of each of them in the one before it; 0 for none.
    func places(of line: [TaskID]) -> [Int] {
        line.dropFirst().map { records[$0]?.place ?? 0 }
    }

    /// What the text of a search for a task's broker begins with.
    ///
    /// `owner:` finds the task where a session has described it, `ended:` where the board shows how
    /// it ended; a broker asks for `ended:` if no broker has answered `owner:`.
    static let (ownerPrefix, endedPrefix) = ("owner:", "ended:")

    /// Tasks that a text names: a slot, `key:NAME`, `id:ID`, `owner:ID`, `ended:ID`,
    /// `cell:N@JOBID`, an id's prefix of at least six, a key.
    package func find(_ text: String) -> [TaskID] {
        if let id = TaskID(in: text, after: Self.ownerPrefix) {
            return isDescribedHere(id) ? find("id:\(id)") : []
        }
        if let id = TaskID(in: text, after: Self.endedPrefix) {
            return find("id:\(id)").filter {
                tree.state(of: $0)?.isEnded == true && !board.parts.isTaken($0)
            }
        }
        if text.hasPrefix("id:") {
            guard let id = TaskID(String(text.dropFirst(3))) else { return [] }
            if isShown(id) { return [id] }
            // The redeemer of a ticket reports it under a name of its own.
            return tree.taskID(of: id).map { tree.view($0) == nil ? [] : [$0] } ?? []
        }
        if text.hasPrefix("key:") { return jobs(withKey: String(text.dropFirst(4))) }
        if text.hasPrefix("cell:") { return task(inCell: text.dropFirst(5)).map { [$0] } ?? [] }
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let slot = Int(text) else { return [] }
            return board.jobs(shownIn: slot)
        }
        if let id = TaskID(text) {
            // No other id begins with a whole one.
            return isShown(id) ? [id] : jobs(withKey: text)
        }
        if text.utf8.count >= 6, let prefix = TaskIDPrefix(text) {
            let elsewhere = board.fleet.ids { id, _ in id.description.hasPrefix(text) }
            let matching = records.ids(beginningWith: prefix, limit: Self.foundTasks) + elsewhere
            if !matching.isEmpty { return matching }
        }
        return jobs(withKey: text)
    }

    /// The task in a cell of a job's mosaic, written `N@JOBID`.
    private func task(inCell text: Substring) -> TaskID? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            let cell = Int(parts[0]), let job = TaskID(String(parts[1]))
        else { return nil }
        return board.jobs[job]?.taskInCell[cell]
    }

    private func jobs(withKey key: String) -> [TaskID] {
        board.slots.slots(ofKey: key).compactMap { board.jobInSlot[$0] }
            + board.fleet.ids { $1.key == key }
    }

    /// Whether a task is in a tree here, or a job of another broker.
    private func isShown(_ id: TaskID) -> Bool { tree.view(id) != nil || board.fleet.has(id) }
}

extension TaskID {
    /// The id that a text has behind this prefix.
    fileprivate init?(in text: String, after prefix: String) {
        guard text.hasPrefix(prefix) else { return nil }
        self.init(String(text.dropFirst(prefix.count)))
    }
}
