// What the tree says, as of the last settling.
extension ProgressTree {
    /// Everything about one shown task; `nil` for redeemers and names nobody has described.
    package func view(_ id: TaskID) -> TaskView? {
        var cursor = TaskTable.Cursor()
        return view(id, near: &cursor)
    }

    /// The same of one that is probably a neighbour of the last one.
    package func view(_ id: TaskID, near cursor: inout TaskTable.Cursor) -> TaskView? {
        guard let slot = slots.number(of: id, near: &cursor), nodes[slot].link != .holder,
            nodes[slot].link != .inert,
            let description = description(of: slot)
        else { return nil }
        let speaker = speaker(of: slot)
        let aggregate = aggregate(of: slot)
        let outcome = outcome(of: slot, aggregate)
        let ratio = ratio(of: slot, outcome.state, aggregate)
        let isUnredeemed = speaker == slot && nodes[slot].flags.contains(.ticket)
        let family = nodes[slot].family
        let attempts = family < 0 ? [] : families[family].holders
        let parent = shownParent(of: slot)
        return TaskView(
            id: id,
            reporter: nodes[speaker].id,
            parent: parent < 0 ? nil : nodes[parent].id,
            job: nodes[slot].job < 0 ? nil : nodes[nodes[slot].job].id,
            depth: Int(max(nodes[slot].depth, 0)),
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
            load: load(of: slot, ratio, aggregate),
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

    /// The task's fraction as its parent takes it: between 0 and 1, in units of 2⁻⁵⁰.
    package func fixedFraction(of id: TaskID) -> Int64? {
        guard let slot = slots[id], nodes[slot].link != .holder else { return nil }
        let children = aggregate(of: slot)
        let ratio = ratio(of: slot, outcome(of: slot, children).state, children)
        return FixedPoint.capped(ratio.numerator, over: ratio.denominator)
    }

    /// The state of a shown task.
    package func state(of id: TaskID) -> TaskState? {
        guard let slot = slots[id], nodes[slot].link != .holder, nodes[slot].link != .inert else {
            return nil
        }
        return state(ofShown: slot)
    }

    func state(ofShown slot: PoolNumber) -> TaskState {
        if nodes[slot].contribution.isPresent, !nodes[slot].flags.contains(.dirty) {
            return nodes[slot].contribution.state
        }
        return outcome(of: slot, aggregate(of: slot)).state
    }

    /// Descendants that have not ended, in the current attempt and in earlier ones.
    package func liveDescendants(of id: TaskID) -> Int {
        guard let slot = slots[id] else { return 0 }
        return aggregate(of: shown(slot)).below.live
    }

    /// Issuer's and holder's words as one: the issuer owns share, key, place and default title.
    private func description(of slot: PoolNumber) -> TaskDescription? {
        let speaker = speaker(of: slot)
        guard speaker != slot, var description = nodes[speaker].description else {
            guard nodes[slot].link == .concurrentRedeemer, var own = nodes[slot].description,
                case .child(let ticket) = bindings[slot]
            else { return nodes[describing(slot)].description }
            own.parent = .task(ticket)
            own.share = 1
            if own.title.isEmpty, nodes[slot].up >= 0 {
                own.title = nodes[shown(nodes[slot].up)].description?.title ?? ""
            }
            return own
        }
        guard let issued = nodes[slot].description else { return description }
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

    /// What of a task's work is done, and who is at it.
    func load(
        of slot: PoolNumber,
        _ ratio: Ratio,
        _ children: Aggregate
    ) -> Workload {
        guard children.begun > 0 else {
            let amounts = nodes[speaker(of: slot)].amounts
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
