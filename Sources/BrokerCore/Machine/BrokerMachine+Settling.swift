import TaskTree

/// Settling: a new broker waits a moment for those who were there before.
extension BrokerMachine {
    mutating func beginSettling(now: Moment) {
        isSettling = true
        timers.add(.settled, at: now.advanced(bySeconds: configuration.settleFor))
    }

    /// All whom the journal knew as alive have told everything.
    mutating func endSettlingIfComplete(now: Moment) {
        let isComplete = sessions.values.allSatisfy {
            $0.isViewer || !$0.isPresent || $0.hasDeliveredKeyframe
        }
        if isComplete { endSettling(now: now) }
    }

    mutating func endSettling(now: Moment) {
        guard isSettling else { return }
        // While it settles, so that whoever was told a place has it before the others get theirs.
        settleForDecision(now: now)
        isSettling = false
        isChanged = true
        log(.info, "settled", ["tasks": String(tree.taskCount)])
        observable.formUnion(unobserved)
        // Those who came without a place get theirs now, in an order that is the same each time.
        let waiting = records.ids { $0.place == nil }.sorted()
        // First those who were told one, of whom the journal knew before they said so.
        let isClaimed = Dictionary(grouping: waiting) { facts[$0]?.claim != nil }
        for id in isClaimed[true, default: []] + isClaimed[false, default: []] {
            if let view = tree.view(id), view.parent != nil {
                place(view)
                unpublished.described.append(id)
            }
        }
        // Drops the facts of tasks that no session has stated again.
        facts = facts.filter { tree.hasRecord(of: $0.key) }
        thinOutPlaces()
        for topic in topics.keys { topics[topic]?.lastBeat = nil }
    }
}
