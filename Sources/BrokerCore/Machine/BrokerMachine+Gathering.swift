import TaskTree

/// Whom commands are for: of very many tasks some are looked at in a tick, so that others do not wait.
extension BrokerMachine {
    /// Looks for the topmost tasks of each session at or below a task, for somebody who waits for them.
    ///
    /// Who waits for the same ones already is joined.
    mutating func gather(below target: TaskID, for waiting: Gathering.Waiting) {
        let isSame = { (other: Gathering) in other.target == target && !other.walk.isOver }
        if let place = commands.gatherings.firstIndex(where: isSame) {
            commands.gatherings[place].waiting.append(waiting)
            return
        }
        var gathering = Gathering(target: target, walk: tree.topmostTasks(below: target))
        gathering.waiting = [waiting]
        var looks = configuration.looksAtOnce
        tree.advance(&gathering.walk, looks: &looks)
        if gathering.walk.isOver {
            tell(waiting, gathering.walk.found)
        } else {
            commands.gatherings.append(gathering)
        }
    }

    /// Asks the owners of all topmost tasks that a walk finds at or below a task to stop them.
    mutating func halt(_ target: TaskID, _ walk: TopmostWalk) {
        // Else one is under way.
        guard commands.halts.allSatisfy({ $0.target != target }) else { return }
        commands.halts.append((target, walk))
        var looks = configuration.looksAtOnce
        continueHalt(at: commands.halts.count - 1, looks: &looks)
    }

    mutating func continueGatherings() {
        var looks = configuration.tasksPerTick
        while looks > 0, !commands.halts.isEmpty { continueHalt(at: 0, looks: &looks) }
        looks = configuration.looksPerTick
        while looks > 0, !commands.gatherings.isEmpty {
            tree.advance(&commands.gatherings[0].walk, looks: &looks)
            guard commands.gatherings[0].walk.isOver else { return }
            let gathering = commands.gatherings.removeFirst()
            // To say them costs as much as to find them.
            let told = min(gathering.waiting.count, max(1, looks / max(1, gathering.walk.count)))
            for waiting in gathering.waiting.prefix(told) { tell(waiting, gathering.walk.found) }
            looks -= told * max(1, gathering.walk.count)
            guard told < gathering.waiting.count else { continue }
            commands.gatherings.insert(gathering, at: 0)
            commands.gatherings[0].waiting.removeFirst(told)
        }
    }

    private mutating func tell(_ waiting: Gathering.Waiting, _ found: [SessionID: [UInt64]]) {
        switch waiting {
        case .command(let number): pass(number, on: found)
        case .held(let held): send(held, found)
        }
    }

    private mutating func continueHalt(at place: Int, looks: inout Int) {
        tree.advance(&commands.halts[place].walk, looks: &looks)
        let found = commands.halts[place].walk.takeFound()
        if commands.halts[place].walk.isOver { commands.halts.remove(at: place) }
        for (session, indices) in found {
            for index in indices {
                let reporter = TaskID(index: index, session: session)
                if let id = tree.taskID(of: reporter) { stop(id, reporter: reporter) }
            }
        }
    }
}
