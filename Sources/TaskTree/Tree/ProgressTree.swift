/// All tasks of all sessions: a function of the newest statements and of nothing else.
///
/// Statements may come in any order, twice, or in other batches: after `settle()` the same newest
/// statements give the same bits. Every name under which somebody speaks has one record; records
/// hang under the record they name as parent, even one nobody has described yet. The redeemer of
/// a ticket (a *holder*) is not shown itself: it lends its words and its children to the ticket,
/// so that a new attempt leaves the children of the former one out of every sum at once.
///
/// A statement costs O(1), plus the size of the subtree when it moves one. `settle()` works on
/// what changed and its ancestors, deepest first.
package struct ProgressTree: Sendable {
    /// The most steps from a root to a task in its job; deeper tasks are unattached.
    package static let maxDepth = 64

    var nodes = Pool<Node>()
    var families = Pool<Family>()
    var units = UnitTable()
    var numbers = TaskTable()
    /// Where the record of the last statement is: the next statement is mostly about a neighbour.
    var spokenOf = TaskTable.Cursor()
    var sessions: [SessionID: SessionBook] = [:]
    let limits: RecordLimits
    /// How many records each owner's sessions have.
    var recordsOfOwners = SharedRoom()
    var bindings: [PoolNumber: Binding] = [:]
    var roots: Set<PoolNumber> = []
    /// As of the last settling.
    package internal(set) var totals = JobTotals()
    /// Described, but no root reached.
    var unattachedNumbers: Set<PoolNumber> = []
    /// Those of them that `takeNewlyUnattached` has not returned yet.
    var newlyUnattached: Set<PoolNumber> = []
    /// Not described, and no root reaches them any more; see `takeNewlyUnshown`.
    var newlyUnshown: Set<TaskID> = []
    /// Changed nodes by depth.
    var dirty: [[PoolNumber]] = Array(repeating: [], count: maxDepth + 1)
    /// What is still to be done because of statements and decisions above a record.
    var pendingWork: [PendingWork] = []
    /// How many records are stated failed or cancelled; without any, nobody looks at ancestors.
    var endingWords = 0
    /// Tasks that were in a job when the tree last settled, and have left it since.
    var departed: Set<TaskID> = []
    /// How many tasks are in a job; folded ones are not counted.
    package internal(set) var taskCount = 0
    /// How often a record was attached or detached, which is most of the work.
    package internal(set) var moves = 0

    package init(limits: RecordLimits = RecordLimits()) {
        self.limits = limits
    }
}

extension ProgressTree {
    /// The record of a name, made if there is none; `nil` if the name was folded away.
    mutating func record(_ id: TaskID) -> PoolNumber? {
        let known = numbers.number(of: id, near: &spokenOf)
        if let known, nodes[known].flags.contains(.owned) { return known }
        let book = sessions[id.session]
        if let book, book.removed.contains(id.index) { return nil }
        if let known { return known }
        var node = Node(id: id)
        if let book, book.isSilent { node.flags.insert(.silent) }
        let number = nodes.insert(node)
        numbers[id] = number
        return number
    }

    /// The record of a name that its session speaks of, made and counted if there is none.
    ///
    /// `nil` if the name was folded away, or if its session has no room for one more.
    mutating func ownRecord(_ id: TaskID, isDescribed: Bool = false) -> PoolNumber? {
        if let known = numbers.number(of: id, near: &spokenOf), nodes[known].flags.contains(.owned)
        {
            return known
        }
        guard hasRoom(in: id.session, isDescribed: isDescribed), let number = record(id) else {
            return nil
        }
        nodes[number].flags.insert(.owned)
        count(1, of: id.session)
        sessions[id.session]?.undescribed += 1
        return number
    }

    /// Stops counting a record as one of its session's.
    mutating func disown(_ number: PoolNumber) {
        guard nodes[number].flags.contains(.owned) else { return }
        nodes[number].flags.remove(.owned)
        let session = nodes[number].id.session
        count(-1, of: session)
        if !nodes[number].flags.contains(.described) { sessions[session]?.undescribed -= 1 }
        forgetSessionIfEmpty(session)
    }

    /// Frees the record if nobody has said or decided anything of it and nothing hangs under it.
    mutating func discardIfEmpty(_ number: PoolNumber) {
        let node = nodes[number]
        guard node.flags.isDisjoint(with: .words), bindings[number] == nil else { return }
        if node.family >= 0 {
            let family = families[node.family]
            guard family.firstChild < 0, family.holders.isEmpty, family.folds.isEmpty else {
                return
            }
        }
        detach(number)
        unlink(number)
        setUnattached(number, false)
        if node.family >= 0 { families.remove(node.family, leaving: Family()) }
        numbers[node.id] = nil
        nodes.remove(number, leaving: Node(id: TaskID(index: 0, session: SessionID(rawValue: 0))))
    }

    /// Forgets a session if its book says nothing.
    mutating func forgetSessionIfEmpty(_ session: SessionID) {
        if sessions[session]?.mustBeKept == false { sessions[session] = nil }
    }

    /// The newest child of a record.
    func firstChild(of number: PoolNumber) -> PoolNumber {
        let family = nodes[number].family
        return family < 0 ? noNumber : families[family].firstChild
    }

    /// The family of a record, made if there is none.
    mutating func family(of number: PoolNumber) -> PoolNumber {
        if nodes[number].family >= 0 { return nodes[number].family }
        let family = families.insert(Family())
        nodes[number].family = family
        // Amounts of a task with a family travel in its `Descendants`.
        mark(number)
        return family
    }

    /// The record that speaks for a shown one: the holder of a ticket, else itself.
    func speaker(of number: PoolNumber) -> PoolNumber {
        let family = nodes[number].family
        guard family >= 0, let holder = families[family].holders.last else { return number }
        return holder.record
    }

    /// The shown record a record belongs to: the ticket of a holder, else itself.
    func shown(_ number: PoolNumber) -> PoolNumber {
        nodes[number].link == .holder ? nodes[number].up : number
    }

    /// The shown record that a name belongs to.
    func shownNumber(_ id: TaskID) -> PoolNumber? {
        // Not `map(shown)`: that would copy the tree for a closure, with a reference for each part.
        guard let number = numbers[id] else { return nil }
        return shown(number)
    }

    /// The shown record above a shown one; none for a root.
    func shownParent(of number: PoolNumber) -> PoolNumber {
        let up = nodes[number].up
        guard up >= 0, nodes[number].depth != 0 else { return noNumber }
        return shown(up)
    }

    /// Has the shown task of a record settled again.
    mutating func mark(_ number: PoolNumber, news: Bool = false) {
        let target = shown(number)
        if news { nodes[target].flags.insert(.news) }
        guard nodes[target].isAttached, !nodes[target].flags.contains(.dirty) else { return }
        nodes[target].flags.insert(.dirty)
        dirty[Int(nodes[target].depth)].append(target)
    }
}
