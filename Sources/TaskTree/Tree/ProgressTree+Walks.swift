// Going through all that a session has said, a part at a time.
extension ProgressTree {
    /// Begins with what a session has stated, or was decided about its names, by now: about in the order in
    /// which that began, or the other way round.
    package mutating func beginWalk(of session: SessionID, isBackwards: Bool = false) -> Int {
        slots.beginWalk(of: session, isBackwards: isBackwards)
    }

    /// The next names of a walk, some more or fewer than are wanted; `nil` if there are no more.
    ///
    /// Takes what was looked at from `looks`.
    package mutating func next(of walk: Int, looks: inout Int) -> [TaskID]? {
        var found: [TaskID] = []
        var isOver = true
        while looks > 0 {
            guard let numbers = slots.next(of: walk) else { return isOver ? nil : found }
            isOver = false
            // An empty page costs a look too.
            looks -= max(1, numbers.count)
            for slot in numbers where nodes[slot].flags.contains(.owned) {
                found.append(nodes[slot].id)
            }
        }
        return found
    }

    /// Ends a walk; nothing happens if it is over.
    package mutating func endWalk(_ walk: Int) { slots.endWalk(walk) }

    /// How many walks are under way.
    package var walkCount: Int { slots.walkCount }

    /// Whether a session has described a task, or somebody decided what it is.
    package func isStated(_ reporter: TaskID) -> Bool {
        guard let slot = slots[reporter] else { return false }
        return !nodes[slot].flags.isDisjoint(with: .words) || bindings[slot] != nil
    }

    /// Whether something was said or decided of a name that no job shows and nobody has described.
    package func isUnshown(_ reporter: TaskID) -> Bool {
        slots[reporter].map(isUnshown) ?? false
    }

    func isUnshown(_ slot: Slot) -> Bool {
        nodes[slot].flags.contains(.owned) && !nodes[slot].isAttached
            && !nodes[slot].flags.contains(.described)
    }

    /// The version of the newest word of its owner; 0 without any.
    package func version(of reporter: TaskID) -> UInt64 {
        guard let slot = slots[reporter] else { return 0 }
        return max(
            nodes[slot].describedVersion,
            nodes[slot].measuredVersion,
            nodes[slot].detailedVersion,
            nodes[slot].statedVersion
        )
    }
}
