import TaskTree

/// What the consumer of a viewport has been given so far.
struct ViewportRecord: Sendable {
    /// One followed part as it was delivered.
    private struct Part {
        /// Changes up to this revision were delivered.
        var since: UInt64
        var members: Set<TaskID> = []
    }

    /// A task in followed parts.
    private struct Shown {
        /// How many of the parts have the task: one, or more for a moment while it moves.
        var holders: Int
        var attempt = 0
        var fraction = 0.0
        /// The reported fraction at that time.
        var reported = 0.0
    }

    private var parts: [ViewportPart: Part] = [:]
    private var shown: [TaskID: Shown] = [:]
    /// Whether the subscription has changed since the last value.
    var isWishNew = false
    var wasLoading = true

    /// Whether the task is in a part that was delivered.
    func shows(_ task: TaskID) -> Bool { shown[task] != nil }

    /// Parts that were delivered.
    var deliveredParts: Set<ViewportPart> { Set(parts.keys) }

    /// Forgets parts that are not wanted any more, or have no contents any more.
    mutating func forget(where isForgotten: (ViewportPart) -> Bool) {
        for (part, delivered) in parts where isForgotten(part) {
            for task in delivered.members { release(task) }
            parts[part] = nil
        }
    }

    /// Puts what has changed in a part into the picture, but for its rows; returns the tasks whose
    /// rows have changed.
    mutating func take(
        _ part: ViewportPart,
        _ contents: TopicContents,
        at revision: UInt64,
        into picture: inout ViewportUpdate
    ) -> [TaskID] {
        let former = parts[part]
        let since = former?.since ?? 0
        parts[part, default: Part(since: since)].since = revision
        if former == nil || contents.wholeRevision > since {
            switch part {
            case .board, .children:
                let members = Set(contents.rows.keys)
                guard members != former?.members else { break }
                for task in members.subtracting(former?.members ?? []) {
                    shown[task, default: Shown(holders: 0)].holders += 1
                }
                for task in (former?.members ?? []).subtracting(members) { release(task) }
                picture.members[part] = contents.order
                parts[part]?.members = members
            case .states: picture.states[part] = contents.states
            case .hosts(let job): picture.hosts[job] = contents.hosts.map { JobHosts($0) }
            case .messages: break
            }
        }
        return contents.rows.compactMap { $1.revision > since ? $0 : nil }
    }

    /// Whether there may be something to deliver.
    func isBehind(_ part: ViewportPart, _ revision: UInt64) -> Bool {
        parts[part].map { $0.since < revision } ?? true
    }

    /// Whether several parts have the task, as for a moment while it moves.
    func isShared(_ task: TaskID) -> Bool { (shown[task]?.holders ?? 0) > 1 }

    /// The task as it is delivered: within an attempt the fraction shown falls only if the reported
    /// one does, whichever part it comes from.
    mutating func snapshot(of row: TopicContents.Row, now: Double?) -> TaskSnapshot {
        var snapshot = row.shown(at: now)
        guard let known = shown[snapshot.id] else { return snapshot }
        if known.attempt == snapshot.attempt, snapshot.fraction >= known.reported {
            snapshot.show(atLeast: known.fraction)
        }
        shown[snapshot.id]?.attempt = snapshot.attempt
        shown[snapshot.id]?.fraction = snapshot.displayFraction
        shown[snapshot.id]?.reported = snapshot.fraction
        return snapshot
    }

    private mutating func release(_ task: TaskID) {
        guard let known = shown[task] else { return }
        if known.holders > 1 { shown[task]?.holders -= 1 } else { shown[task] = nil }
    }
}
