import TaskTree

/// Settling: a new broker waits a moment for those who were there before.
extension BrokerMachine {
    mutating func beginSettling(now: Moment) {
        sessions.isSettling = true
        clock.timers.add(.settled, at: now.advanced(bySeconds: configuration.settleFor))
    }

    /// Ends the settling once all sessions that the journal knew as alive have told everything.
    mutating func endSettlingIfComplete(now: Moment) {
        let isComplete = sessions.known.values.allSatisfy {
            $0.isViewer || !$0.isPresent || $0.hasDeliveredKeyframe
        }
        if isComplete { endSettling(now: now) }
    }

    mutating func endSettling(now: Moment) {
        guard sessions.isSettling else { return }
        // Still settling, so that tasks that had a place have it before the others get theirs.
        settleForDecision(now: now)
        sessions.isSettling = false
        publication.isChanged = true
        log(.info, "settled", ["tasks": String(tree.taskCount)])
        knownTasks.observable.formUnion(knownTasks.unobserved)
        // Tasks without a place get one now, in an order that is the same each time.
        let waiting = records.ids { $0.place == nil }.sorted()
        // First the tasks whose owners claim a place: the journal had these before the claims came.
        let isClaimed = Dictionary(grouping: waiting) { knownTasks.facts[$0]?.claim != nil }
        for id in isClaimed[true, default: []] + isClaimed[false, default: []] {
            if let view = tree.view(id), view.parent != nil {
                place(view)
                publication.unpublished.described.append(id)
            }
        }
        // Drops the facts of tasks that no session has stated again.
        knownTasks.facts = knownTasks.facts.filter { tree.hasRecord(of: $0.key) }
        thinOutPlaces()
        for topic in publication.topics.keys { publication.topics[topic]?.lastBeat = nil }
    }
}
