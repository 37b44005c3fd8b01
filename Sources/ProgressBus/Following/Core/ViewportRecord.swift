import BusProtocol
import TaskTree

/// What the consumer of pictures has been given so far.
struct ViewportRecord: Sendable {
    /// One followed part as it was delivered.
    private struct Part {
        /// Changes up to this revision were delivered.
        var since: UInt64
        var members: Set<TaskID> = []
    }

    /// A task in followed parts.
    private struct Shown {
        /// How many of the parts have it: one, but for a moment when it moves.
        var holders: Int
        var attempt = 0
        var fraction = 0.0
        /// What was reported then.
        var reported = 0.0
    }

    private var parts: [ViewportPart: Part] = [:]
    private var shown: [TaskID: Shown] = [:]
    /// Whether the subscription has changed since the last value.
    var isWishNew = false
    var wasLoading = true
    /// Departures up to this number were delivered.
    var departuresSeen: UInt64 = 0

    /// Whether the task is in a part that was delivered.
    func shows(_ task: TaskID) -> Bool { shown[task] != nil }

    /// Parts that were delivered.
    var deliveredParts: Set<ViewportPart> { Set(parts.keys) }

    /// These parts are not wanted any more, or there is nothing of them any more.
    mutating func forget(where isForgotten: (ViewportPart) -> Bool) {
        for (part, delivered) in parts where isForgotten(part) {
            for task in delivered.members { release(task) }
            parts[part] = nil
        }
    }

    /// Takes over the members of a part and says which of its tasks have changed.
    mutating func take(
        _ part: ViewportPart,
        _ contents: TopicContents,
        into picture: inout ViewportUpdate,
        changed: inout Set<TaskID>
    ) {
        let since = parts[part]?.since ?? 0
        let former = parts[part]?.members
        if part.hasRows, former == nil || contents.membershipRevision > since {
            let members = Set(contents.rows.keys)
            if members != former {
                for task in members.subtracting(former ?? []) {
                    shown[task, default: Shown(holders: 0)].holders += 1
                }
                for task in (former ?? []).subtracting(members) { release(task) }
                picture.members[part] = contents.order
            }
            parts[part] = Part(since: since, members: members)
        }
        for (task, row) in contents.rows where row.revision > since { changed.insert(task) }
        if case .states = part, former == nil || contents.statesRevision > since {
            picture.states[part] = contents.states
        }
        if case .hosts(let job) = part, former == nil || contents.hostsRevision > since,
            let hosts = contents.hosts
        {
            picture.hosts[job] = JobHosts(hosts)
        }
        if parts[part] == nil { parts[part] = Part(since: since) }
    }

    /// Everything of the part up to this revision is in the value that is made now.
    mutating func close(_ part: ViewportPart, at revision: UInt64) {
        parts[part]?.since = revision
    }

    /// Whether there may be something to deliver.
    func isBehind(_ part: ViewportPart, _ revision: UInt64) -> Bool {
        parts[part].map { $0.since < revision } ?? true
    }

    /// Several parts may have a task for a moment.
    func isShared(_ task: TaskID) -> Bool { (shown[task]?.holders ?? 0) > 1 }

    /// The task as it is delivered: what is shown of an attempt runs backwards only where less is
    /// reported, whichever part it comes from.
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

extension ViewportPart {
    /// What is followed for this part.
    var topic: Topic {
        switch self {
        case .board(let page): .board(page: page)
        case .children(let task, let block): .children(task, block: block)
        case .states(let job, let block): .states(job, block: block)
        case .hosts(let job): .hosts(job)
        case .messages(let job): .log(job)
        }
    }

    /// Whether it has tasks, and not something about tasks.
    var hasRows: Bool {
        switch self {
        case .board, .children: true
        case .states, .hosts, .messages: false
        }
    }
}
