// What the tree says, as of the last settling.
extension ProgressTree {
    /// Everything about one shown task; `nil` for redeemers and names nobody has described.
    package func view(_ id: TaskID) -> TaskView? {
        var cursor = TaskTable.Cursor()
        return view(id, near: &cursor)
    }

    /// The same; faster for a neighbour of the task that was read last.
    package func view(_ id: TaskID, near cursor: inout TaskTable.Cursor) -> TaskView? {
        guard let number = numbers.number(of: id, near: &cursor), nodes[number].link != .holder,
            nodes[number].link != .inert,
            let description = description(of: number)
        else { return nil }
        let speaker = speaker(of: number)
        let aggregate = aggregate(of: number)
        let outcome = outcome(of: number, aggregate)
        let ratio = ratio(of: number, outcome.state, aggregate)
        let isUnredeemed = speaker == number && nodes[number].flags.contains(.ticket)
        let family = nodes[number].family
        let attempts = family < 0 ? [] : families[family].holders
        let parent = shownParent(of: number)
        return TaskView(
            id: id,
            reporter: nodes[speaker].id,
            parent: parent < 0 ? nil : nodes[parent].id,
            job: nodes[number].job < 0 ? nil : nodes[nodes[number].job].id,
            depth: Int(max(nodes[number].depth, 0)),
            description: description,
            detail: nodes[speaker].detail,
            amounts: isUnredeemed ? TaskAmounts() : nodes[speaker].amounts,
            state: outcome.state,
            reason: reason(of: speaker, outcome),
            note: note(of: outcome, aggregate),
            attempt: isUnredeemed ? 0 : attempts.last?.attempt ?? 1,
            earlierAttempts: max(0, attempts.count - 1),
            isIndeterminate: ratio.isIndeterminate,
            fraction: FixedPoint.double(ratio.numerator, over: ratio.denominator),
            load: load(of: number, ratio, aggregate),
            isStalled: outcome.isStalled,
            isSilent: outcome.isSilent,
            needsAttention: outcome.needsAttention,
            counts: aggregate.below.counts,
            attention: aggregate.below.attention(below: outcome),
            runningDescendants: aggregate.below.running,
            stalledDescendants: aggregate.below.stalled,
            childCount: aggregate.children,
            foldedChildren: aggregate.folded,
            sums: sums(of: aggregate)
        )
    }

    /// Everything below a task as one fold; `nil` if there is nothing.
    ///
    /// Below another task with the same amounts this fold makes the same fraction, counts, sums and
    /// state.
    package func fold(below id: TaskID) -> FoldedChildren? {
        guard let view = view(id), let number = numbers[id] else { return nil }
        let children = aggregate(of: number)
        guard children.begun > 0 || children.below.live > 0 else { return nil }
        var fold = FoldedChildren(
            succeeded: view.counts.succeeded,
            failed: view.counts.failed,
            cancelled: view.counts.cancelled,
            share: Int64(clamping: children.share),
            weighted: children.weighted,
            sums: view.sums
        )
        fold.below = PartBelow(children)
        return fold
    }

    /// The version of a reporter's newest statement about itself or about what is below it.
    package func lastVersion(of reporter: TaskID) -> UInt64 {
        let fold = fold(of: reporter.session, under: reporter)
        return max(statement(of: reporter)?.version ?? 0, fold?.version ?? 0)
    }

    /// The state of a shown task.
    package func state(of id: TaskID) -> TaskState? {
        guard let number = numbers[id], nodes[number].link != .holder, nodes[number].link != .inert
        else {
            return nil
        }
        return state(ofShown: number)
    }

    func state(ofShown number: PoolNumber) -> TaskState {
        if nodes[number].contribution.isPresent, !nodes[number].flags.contains(.dirty) {
            return nodes[number].contribution.state
        }
        return outcome(of: number, aggregate(of: number)).state
    }

    /// Descendants that have not ended, in the current attempt and in earlier ones.
    package func liveDescendants(of id: TaskID) -> Int {
        guard let number = numbers[id] else { return 0 }
        return aggregate(of: shown(number)).below.live
    }

    /// The issuer's and the holder's descriptions as one: the issuer's share, key and place count,
    /// and its title is the default.
    private func description(of number: PoolNumber) -> TaskDescription? {
        let speaker = speaker(of: number)
        guard speaker != number, var description = nodes[speaker].description else {
            guard nodes[number].link == .concurrentRedeemer, var own = nodes[number].description,
                case .child(let ticket) = bindings[number]
            else { return nodes[describing(number)].description }
            own.parent = .task(ticket)
            own.share = 1
            if own.title.isEmpty, nodes[number].up >= 0 {
                own.title = nodes[shown(nodes[number].up)].description?.title ?? ""
            }
            return own
        }
        guard let issued = nodes[number].description else { return description }
        let isSameGround = description.options.isBackground == issued.options.isBackground
        description.parent = issued.parent
        description.isTicket = true
        description.key = issued.key
        description.share = isSameGround ? issued.share : issued.effectiveShare
        if description.title.isEmpty { description.title = issued.title }
        return description
    }

    private func reason(of speaker: PoolNumber, _ outcome: Outcome) -> String {
        guard outcome.state.isEnded else { return "" }
        switch outcome.cause {
        case .word: return nodes[speaker].stated.reason
        case .conclusion: return nodes[speaker].inference?.reason ?? ""
        case .parentEnded: return "parent ended"
        }
    }

    private func note(of outcome: Outcome, _ aggregate: Aggregate) -> String {
        if outcome.awaitsChildren { return "waiting for \(counted(aggregate.unfinished))" }
        guard outcome.state == .succeeded else { return "" }
        switch (aggregate.failed, aggregate.lost) {
        case (0, 0): return ""
        case (let failed, 0): return "succeeded, \(counted(failed)) failed"
        case (0, let lost): return "succeeded, \(counted(lost)) lost"
        case (let failed, let lost): return "succeeded, \(counted(failed)) failed, \(lost) lost"
        }
    }

    private func counted(_ children: Int) -> String {
        children == 1 ? "1 child" : "\(children) children"
    }

    /// How much of a task's work is done, and how many tasks work at it.
    func load(
        of number: PoolNumber,
        _ ratio: Ratio,
        _ children: Aggregate
    ) -> Workload {
        guard children.begun > 0 else {
            let amounts = nodes[speaker(of: number)].amounts
            return Workload(done: Double(amounts.completed), extent: amounts.total.map(Double.init))
        }
        let extent = ratio.isIndeterminate ? nil : FixedPoint.double(ratio.denominator)
        let done = FixedPoint.double(ratio.numerator, over: 1)
        var load = Workload(done: done, extent: extent)
        let runningChildren = children.runningChildren
        let all = runningChildren.share << FixedPoint.bits
        load.running = Int32(clamping: runningChildren.count)
        load.underWay = Float(FixedPoint.double(all &- runningChildren.weighted, over: 1))
        load.mute = Float(FixedPoint.double(runningChildren.mute))
        load.activeWorkers = Float(children.below.activeWorkers)
        load.unmovedWorkers = Float(children.below.unmovedWorkers)
        load.meanShare = Float(FixedPoint.double(children.share) / Double(children.begun))
        return load
    }

    private func sums(of aggregate: Aggregate) -> [UnitSum] {
        let sums = aggregate.units.entries.map { entry in
            UnitSum(
                unit: units.name(entry.unit),
                completed: Int64(clamping: entry.completed),
                total: Int64(clamping: entry.total)
            )
        }
        return sums.sorted { $0.unit < $1.unit }
    }
}
