import BusProtocol
import TaskTree

/// What this bridge has said of its broker's jobs, so that it says only what has changed.
///
/// A record of each slot. What people wait for (a job that begins, ends, fails or stalls) is said at
/// once; numbers that rise, ten times a second or, where this host or all hosts say very many, less often,
/// those that have waited longest first.
struct OwnSlots {
    /// Records of what people wait for that are said with one tick.
    private static let urgentPerTick = 200
    /// Seconds between two records of a job that only gets on.
    private static let every = 0.1
    /// Such records in a second, of this host and of all hosts together: each host takes them all.
    private static let perSecond = 80.0
    private static let ofAllPerSecond = 5_000.0
    /// Seconds after which a record is said again, as NATS may have lost it; and how many with one tick.
    private static let repeatedEvery = 60.0
    private static let repeatedPerTick = 2

    private struct Slot {
        var row: WireRow?
        /// What was said last; `nil` in it: that nothing is in the slot.
        var said: (row: WireRow?, at: Moment, sequence: UInt64)?
    }

    private var slots: [Int: Slot] = [:]
    /// How many records of jobs that only get on may be said, and as of when.
    private var allowance: (count: Double, at: Moment)?
    /// Of the newest record; they rise with each.
    private(set) var sequence: UInt64 = 0

    /// Takes what is on one page of the broker's board.
    mutating func take(_ rows: [WireRow], page: Int) {
        var left = Set(slots.keys.filter { Topic.page(ofSlot: $0) == page })
        for row in rows {
            let slot = Int(row.description_p.slot)
            left.remove(slot)
            slots[slot, default: Slot()].row = row
        }
        for slot in left { slots[slot]?.row = nil }
    }

    /// Forgets what is on pages that are not this broker's any more.
    mutating func keep(pages: [Int]) {
        for slot in slots.keys where !pages.contains(Topic.page(ofSlot: slot)) {
            slots[slot] = nil
        }
    }

    /// The bridge speaks as another one from now on: nothing was said.
    mutating func beginAnew() {
        for slot in slots.keys { slots[slot]?.said = nil }
        sequence = 0
    }

    /// The broker has begun anew, and counts changes from the start.
    mutating func forgetSequences() {
        for slot in slots.keys { slots[slot]?.said?.row?.sequence = .max }
    }

    /// A record of the stream says so of a slot of this broker.
    ///
    /// What a former bridge of the broker has left there is to be replaced, if by nothing.
    mutating func hearStored(_ slot: Int, isOfThisLife: Bool, sequence: UInt64) {
        if isOfThisLife, slots[slot]?.said?.sequence == sequence { return }
        slots[slot, default: Slot()].said = nil
    }

    /// The stream was read whole: what it did not have is said again.
    mutating func miss(allBut stored: Set<Int>) {
        for slot in slots.keys where !stored.contains(slot) { slots[slot]?.said = nil }
    }

    /// The records to put now, where so many hosts say such; they count as said.
    mutating func takeDue(
        at now: Moment,
        hosts: Int
    ) -> [(slot: Int, row: WireRow?, sequence: UInt64)] {
        var urgent: [Int] = []
        var changed: [(waited: Double, slot: Int)] = []
        var unchanged: [(waited: Double, slot: Int)] = []
        for (slot, state) in slots {
            guard let said = state.said else {
                urgent.append(slot)
                continue
            }
            let waited = now.seconds(since: said.at)
            if state.row.isUrgent(after: said.row) {
                urgent.append(slot)
            } else if state.row?.sequence != said.row?.sequence {
                if waited >= Self.every { changed.append((waited, slot)) }
            } else if state.row != nil, waited >= Self.repeatedEvery {
                unchanged.append((waited, slot))
            }
        }
        let allowed = takeAllowance(for: changed.count, at: now, hosts: hosts)
        let due =
            urgent.sorted().prefix(Self.urgentPerTick)
            + Self.longest(changed, atMost: allowed)
            + Self.longest(unchanged, atMost: Self.repeatedPerTick)
        return due.map { slot in
            sequence += 1
            let row = slots[slot]?.row
            slots[slot]?.said = (row, now, sequence)
            return (slot, row, sequence)
        }
    }

    /// How many of so many records of jobs that only get on may be said now.
    private mutating func takeAllowance(for count: Int, at now: Moment, hosts: Int) -> Int {
        let rate = min(Self.perSecond, Self.ofAllPerSecond / Double(max(hosts, 1)))
        let earned = allowance.map { $0.count + rate * now.seconds(since: $0.at) } ?? rate
        // After a pause all hosts may have much to say at once.
        let most = min(earned, rate, Self.perSecond * Self.every)
        let taken = min(count, Int(most))
        allowance = (most - Double(taken), now)
        return taken
    }

    private static func longest(
        _ waiting: [(waited: Double, slot: Int)],
        atMost count: Int
    ) -> [Int] {
        waiting.sorted { ($1.waited, $0.slot) < ($0.waited, $1.slot) }.prefix(count).map(\.slot)
    }
}

extension WireRow? {
    /// Whether the bridge says this row at once, where it has said the other one before.
    fileprivate func isUrgent(after other: WireRow?) -> Bool {
        guard let self, let other else { return (self == nil) != (other == nil) }
        guard self.sequence != other.sequence else { return false }
        let (new, old) = (self.progress, other.progress)
        return self.task != other.task || self.description_p != other.description_p
            || new.state != old.state || new.stalled != old.stalled || new.silent != old.silent
            || new.needsAttention != old.needsAttention || new.attention != old.attention
            || new.counts.failed != old.counts.failed || new.note != old.note
    }
}
