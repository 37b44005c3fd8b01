import BusProtocol
import TaskTree

/// What this bridge has said of its broker's jobs, so that it says only what has changed.
///
/// There is a record for each slot. What people wait for (a job that begins, ends, fails or stalls)
/// is put at once. A job that only advances is put ten times a second; less often if this host or
/// all hosts have very many, those first that have waited longest.
struct OwnSlots {
    /// Records of what people wait for that are put with one tick, at most.
    private static let urgentPerTick = 200
    /// Seconds between two records of a job that only advances.
    private static let every = 0.1
    /// Such records in a second, of this host and of all hosts together: each host receives them
    /// all.
    private static let perSecond = 80.0
    private static let ofAllPerSecond = 5_000.0
    /// Seconds after which a record is put again, as NATS may have lost it; and how many with one
    /// tick.
    private static let repeatedEvery = 60.0
    private static let repeatedPerTick = 2

    private struct Slot {
        var row: WireRow?
        /// The last record of the slot; its `row` is `nil` if the record says that the slot is
        /// empty.
        var said: (row: WireRow?, at: Moment, sequence: UInt64)?
    }

    private var slots: [Int: Slot] = [:]
    /// How many records of jobs that only advance may be put, and as of when.
    private var allowance: (count: Double, at: Moment)?
    /// The sequence of the newest record; it rises with each.
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

    /// Forgets what was said, as a new life of the bridge begins.
    mutating func beginAnew() {
        for slot in slots.keys { slots[slot]?.said = nil }
        sequence = 0
    }

    /// Forgets the sequences of rows that were said, as the broker has begun anew and counts
    /// changes from the start.
    mutating func forgetSequences() {
        for slot in slots.keys { slots[slot]?.said?.row?.sequence = .max }
    }

    /// Hears a stored record of one of this broker's slots.
    ///
    /// A record that is not the last one of this life is replaced, by an empty one if the slot is
    /// empty.
    mutating func hearStored(_ slot: Int, isOfThisLife: Bool, sequence: UInt64) {
        if isOfThisLife, slots[slot]?.said?.sequence == sequence { return }
        slots[slot, default: Slot()].said = nil
    }

    /// Has all slots put again of which the stream, read whole, had no record.
    mutating func miss(allBut stored: Set<Int>) {
        for slot in slots.keys where !stored.contains(slot) { slots[slot]?.said = nil }
    }

    /// Takes the records to put now, which then count as said.
    ///
    /// `hosts` is the number of hosts that have news, this one included.
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

    /// Takes up to `count` records of jobs that only advance from the allowance; returns how many
    /// may be put now.
    private mutating func takeAllowance(for count: Int, at now: Moment, hosts: Int) -> Int {
        let rate = min(Self.perSecond, Self.ofAllPerSecond / Double(max(hosts, 1)))
        let earned = allowance.map { $0.count + rate * now.seconds(since: $0.at) } ?? rate
        // The cap matters after a pause, when all hosts may have much to say at once.
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
    /// Whether the bridge puts this row at once, after it has put `other` before.
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
