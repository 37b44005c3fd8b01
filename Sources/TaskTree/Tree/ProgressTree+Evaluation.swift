extension ProgressTree {
    /// The sums over a shown task's children in its current attempt.
    func aggregate(of number: PoolNumber) -> Aggregate {
        let family = nodes[number].family
        guard family >= 0 else { return Aggregate() }
        var aggregate = families[family].aggregate
        let holders = families[family].holders
        guard let current = holders.last else { return aggregate }
        for holder in holders where nodes[holder.record].family >= 0 {
            let theirs = families[nodes[holder.record].family].aggregate
            if holder.record == current.record {
                aggregate.add(theirs)
            } else {
                // An earlier attempt adds only its tasks that have not ended.
                aggregate.below.live &+= theirs.below.live
            }
        }
        return aggregate
    }

    /// The state of a task, from conclusions and the statements of its owner, ancestors and
    /// children.
    func outcome(of number: PoolNumber, _ children: Aggregate) -> Outcome {
        let speaker = speaker(of: number)
        let flags = nodes[speaker].flags
        var outcome = life(of: number, speaker, unfinished: children.unfinished)
        outcome.isSilent =
            outcome.state.isUnderWay && !outcome.awaitsChildren && flags.contains(.silent)
        if outcome.state == .running, !outcome.isSilent {
            if children.below.running > 0 {
                outcome.isStalled = children.below.stalled == children.below.running
            } else {
                outcome.isStalled = !outcome.awaitsChildren && flags.contains(.stalled)
            }
        }
        switch outcome.state {
        case .failed:
            outcome.needsAttention = !flags.contains(.dismissed)
        case .lost:
            // One dead session is one trouble: a task that is lost together with its parent adds
            // none.
            outcome.needsAttention =
                !flags.contains(.dismissed) && !isLostWithParent(number, nodes[speaker].id.session)
        case .succeeded, .cancelled:
            let failures = children.failed &+ children.lost
            let isMarred = outcome.state == .succeeded && failures > 0
            let isAfterFailure = nodes[number].flags.contains(.afterFailure)
            outcome.needsAttention = (isMarred || isAfterFailure) && !flags.contains(.dismissed)
        case .waiting, .running, .paused, .cancelling:
            outcome.needsAttention = outcome.isAlarm
        }
        return outcome
    }

    private func life(of number: PoolNumber, _ speaker: PoolNumber, unfinished: Int) -> Outcome {
        let flags = nodes[speaker].flags
        let isPaused = nodes[speaker].stated == .paused
        let running: TaskState = flags.contains(.cancelling) ? .cancelling : .running
        switch nodes[speaker].stated {
        case .failed: return Outcome(state: .failed)
        case .cancelled: return Outcome(state: .cancelled)
        case .succeeded:
            guard unfinished > 0 else { return Outcome(state: .succeeded) }
            return Outcome(state: running, awaitsChildren: true)
        case .running, .paused: break
        }
        if speaker == number, flags.contains(.ticket) {
            // An unredeemed ticket does not end with its issuer: it may still be redeemed.
            if case .cancelled = nodes[speaker].inference {
                return Outcome(state: .cancelled, cause: .conclusion)
            }
            return Outcome(state: .waiting)
        }
        if endingWords > 0, isEndedByAncestor(number, of: nodes[speaker].id.session) {
            return Outcome(state: .cancelled, cause: .parentEnded)
        }
        switch nodes[speaker].inference {
        case .lost: return Outcome(state: .lost, cause: .conclusion)
        case .cancelled: return Outcome(state: .cancelled, cause: .conclusion)
        case nil: break
        }
        return Outcome(state: isPaused && running == .running ? .paused : running)
    }

    /// Whether a task's parent was lost with the same session.
    private func isLostWithParent(_ number: PoolNumber, _ session: SessionID) -> Bool {
        guard nodes[number].depth > 0 else { return false }
        let up = nodes[number].up
        let voice = nodes[up].link == .holder ? up : speaker(of: up)
        return nodes[voice].inference?.isLost == true && nodes[voice].id.session == session
    }

    /// Whether its session has stated failed or cancelled for a task above this one.
    private func isEndedByAncestor(_ number: PoolNumber, of session: SessionID) -> Bool {
        var number = number
        while nodes[number].depth > 0 {
            let up = nodes[number].up
            // A child of an earlier attempt ends with that attempt.
            let voice = nodes[up].link == .holder ? up : speaker(of: up)
            if nodes[voice].stated.endsDescendants, nodes[voice].id.session == session {
                return true
            }
            number = shown(up)
        }
        return false
    }

    /// The fraction of a task by the table in PROTOCOL.md 7.3: a function of the newest statements.
    func ratio(
        of number: PoolNumber,
        _ state: TaskState,
        _ children: Aggregate
    ) -> Ratio {
        if state == .succeeded { return .one }
        let speaker = speaker(of: number)
        // A ticket's amounts are its holder's.
        let isUnredeemed = speaker == number && nodes[number].flags.contains(.ticket)
        if !isUnredeemed, let total = nodes[speaker].amounts.total {
            if total == 0 { return .one }
            let own = Int128(nodes[speaker].amounts.completed) << FixedPoint.bits
            return Ratio(numerator: own &+ children.weighted, denominator: Int128(total))
        }
        guard children.begun > 0 else {
            return Ratio(numerator: 0, denominator: 1, isIndeterminate: true)
        }
        let expected = nodes[describing(number)].description?.options.expectedChildren ?? 0
        let missing = max(0, Int128(expected) - Int128(children.begun))
        let denominator = children.share &+ missing
        guard denominator > 0 else {
            return Ratio(numerator: 0, denominator: 1, isIndeterminate: true)
        }
        return Ratio(numerator: children.weighted, denominator: denominator)
    }

    /// The record whose description counts for a task.
    ///
    /// It is the first of these that is described: the current holder, the task's own record, the
    /// last holder before. So what was shown once stays.
    func describing(_ number: PoolNumber) -> PoolNumber {
        let speaker = speaker(of: number)
        let family = nodes[number].family
        guard !nodes[speaker].flags.contains(.described) else { return speaker }
        guard !nodes[number].flags.contains(.described), family >= 0 else { return number }
        let holder = families[family].holders.last { nodes[$0.record].flags.contains(.described) }
        return holder?.record ?? number
    }

    /// How many of its parent's units a task is worth.
    func share(of number: PoolNumber) -> Int64 {
        if nodes[number].link == .concurrentRedeemer { return 1 }
        // Not a property of `Node`: reading that would copy the whole node.
        return FixedPoint.share(nodes[number].description?.effectiveShare ?? 1)
    }

    /// The unit of a task's amounts, by the description that counts.
    private func unit(of number: PoolNumber) -> PoolNumber {
        nodes[describing(number)].unit
    }

    /// What a task by itself adds to its parent's sums, or a job to the totals.
    ///
    /// A part of another broker's job adds nothing here: that broker counts it.
    func contribution(
        of number: PoolNumber,
        _ outcome: Outcome,
        _ children: Aggregate
    ) -> Contribution {
        guard nodes[number].depth > 0 else { return jobContribution(of: number, outcome) }
        var own = Contribution()
        guard !nodes[number].flags.contains(.part) else { return own }
        let ratio = ratio(of: number, outcome.state, children)
        own.facts = .present
        own.share = share(of: number)
        own.fraction = FixedPoint.capped(ratio.numerator, over: ratio.denominator)
        own.state = outcome.state
        if outcome.needsAttention { own.facts.insert(.needsAttention) }
        if outcome.isStalled { own.facts.insert(.stalled) }
        if ratio.isIndeterminate { own.facts.insert(.mute) }
        if outcome.state == .running, own.share > 0, children.below.activeWorkers == 0 {
            let hasMoved = ratio.isIndeterminate || own.fraction > 0
            own.facts.insert(hasMoved ? .atWork : .unmoved)
        }
        let unit = unit(of: number)
        if unit >= 0, nodes[number].family < 0 {
            let amounts = nodes[speaker(of: number)].amounts
            own.unit = unit
            own.completed = amounts.completed
            own.total = max(amounts.total ?? 0, amounts.completed)
        }
        return own
    }

    /// What a task with a family adds from below to its parent's sums, or a job to the totals.
    func passedOn(by number: PoolNumber, _ outcome: Outcome, _ aggregate: Aggregate) -> Descendants
    {
        guard nodes[number].depth > 0 else {
            return jobDescendants(of: number, outcome, aggregate.below)
        }
        guard !nodes[number].flags.contains(.part) else { return Descendants() }
        var below = aggregate.below
        if outcome.isAlarm { below.alarms = 0 }
        let amounts = nodes[speaker(of: number)].amounts
        below.sums = sums(aggregate.units.entries, with: amounts, unit(of: number))
        return below
    }

    /// The children's sums by unit with the task's own amounts; its total contains its children's.
    private func sums(
        _ entries: [UnitTotal],
        with amounts: TaskAmounts,
        _ unit: PoolNumber
    ) -> [UnitTotal] {
        var sums = entries
        for place in sums.indices { sums[place].sources = 1 }
        guard unit >= 0 else { return sums }
        let place = sums.firstIndex { $0.unit >= unit } ?? sums.endIndex
        if place == sums.endIndex || sums[place].unit != unit {
            let empty = UnitTotal(unit: unit, sources: 1, completed: 0, total: 0)
            sums.insert(empty, at: place)
        }
        sums[place].completed &+= Int128(amounts.completed)
        let total = max(sums[place].total, Int128(amounts.total ?? 0))
        sums[place].total = max(total, sums[place].completed)
        return sums
    }
}

extension ProgressTree {
    func jobContribution(of number: PoolNumber, _ outcome: Outcome) -> Contribution {
        var own = Contribution()
        guard isInTotals(number) else { return own }
        own.facts = outcome.needsAttention ? [.present, .needsAttention] : .present
        own.state = outcome.state
        return own
    }

    /// Whether the totals count a root: not a ticket that only its redeemer has described, and not
    /// a part of another broker's job.
    private func isInTotals(_ job: PoolNumber) -> Bool {
        let flags = nodes[job].flags
        return flags.contains(.described) && !flags.contains(.part)
    }

    /// What a job adds to the totals from below.
    func jobDescendants(
        of number: PoolNumber,
        _ outcome: Outcome,
        _ sums: Descendants
    ) -> Descendants {
        var below = Descendants()
        guard isInTotals(number) else { return below }
        below.counts = sums.counts
        below.troubles = sums.attention(below: outcome)
        return below
    }
}
