import TaskTree

/// Tasks whose parent is not known become jobs of their own after a while.
extension BrokerMachine {
    /// What has waited long enough for its parent is shown as a job of its own; some thousand tasks in
    /// one tick, as there may be very many.
    mutating func adoptOrphans(now: Moment) {
        guard !sessions.isSettling else { return }
        // Those that move with them included: each costs several looks.
        var room = configuration.looksPerTick / 4
        var hidden: [TaskID] = []
        while room > 0,
            let (id, _) = knownTasks.unattachedSince.takeOldest(where: {
                now.seconds(since: $0) >= configuration.orphanAfter
            })
        {
            guard tree.isUnattached(id) else { continue }
            room -= 1
            guard !tree.isHidden(id) else {
                hidden.append(id)
                continue
            }
            let before = tree.moves
            tree.adoptOrphan(id)
            room -= tree.moves - before
            publication.isChanged = true
        }
        // What they hang under may be shown, or gone, some time.
        for id in hidden { knownTasks.unattachedSince.put(id, age: now) }
    }
}
