/// A change of the slot book that the journal keeps.
package enum SlotBookChange: Hashable, Sendable {
    /// The key was last seen in this slot; `used` orders by recency.
    case remembered(key: String, slot: Int, used: UInt64)
    /// The key left the book.
    case forgotten(key: String)
}

/// The slots of jobs on the board, from 1: a job with the same key gets the same slot tomorrow.
///
/// The book remembers the slots of 1,000 keys and forgets the least recently used one. `assign`
/// looks at the first page and, while that has a free slot, at all remembered keys. Its cost does
/// not depend on the number of jobs.
package struct SlotBook: Sendable {
    /// How many keys are remembered.
    package static let keyLimit = 1_000
    /// The slots of the first page, which are reused by age; above it, the lowest free slot is
    /// taken.
    package static let pageSlots = 64
    /// Slots from here on cannot be claimed or remembered.
    package static let slotLimit = PlaceBook.claimLimit

    /// The slot of each remembered key, and when it was used last: the greater, the later.
    private var memory: [String: (slot: Int, used: UInt64)] = [:]
    /// The same keys by last use, to find the one to forget.
    private var uses = AgeOrder<String, UInt64>()
    private var live = LiveKeys()
    private var places = PlaceBook()
    private var clock: UInt64 = 0

    /// How many keys are remembered.
    package var keyCount: Int { memory.count }

    package init() {
        // There is no slot 0.
        _ = places.claim(0)
    }

    /// Takes over a key that an earlier broker remembered; a slot out of range is ignored.
    package mutating func remember(key: String, slot: Int, used: UInt64) {
        guard slot > 0, slot < Self.slotLimit else { return }
        if let known = memory[key], known.used > used { return }
        clock = max(clock, used)
        _ = remember(key, in: slot, used: used)
    }

    /// Gives a live job a slot and returns the changes for the journal.
    ///
    /// It takes the slot remembered for the key, if that is free. Otherwise it takes a free slot of
    /// the first page: the lowest that no key remembers, else the least recently used one. If the
    /// first page is full, it takes the lowest free slot.
    package mutating func assign(key: String) -> (slot: Int, changes: [SlotBookChange]) {
        let slot = choose(key)
        take(slot, key)
        clock &+= 1
        var changes = [SlotBookChange.remembered(key: key, slot: slot, used: clock)]
        if let forgotten = remember(key, in: slot, used: clock) {
            changes.append(.forgotten(key: forgotten))
        }
        return (slot, changes)
    }

    /// Gives a live job the slot it had before; `false` if that is taken or out of range.
    package mutating func claim(slot: Int, key: String) -> Bool {
        guard slot > 0, slot < Self.slotLimit, places.claim(slot) else { return false }
        live.add(key, at: slot)
        return true
    }

    /// The job has left; its slot is free, but still remembered for its key.
    package mutating func release(slot: Int) {
        if live.remove(at: slot) { places.release(slot) }
    }

    /// The highest slot a live job has; 0 without any.
    package var highestUsed: Int { places.highest ?? 0 }

    /// The key as it is if no live job has it, else with the first free number: `nightly#2`.
    package func uniqueKey(_ key: String) -> String { live.unique(key) }

    /// The slots of the live jobs with this key.
    package func slots(ofKey key: String) -> [Int] { live.slots(of: key) }

    /// The slots of the live jobs with this key, alone or with a number up to `last` behind it.
    package func slots(ofKey key: String, numberedUpTo last: Int) -> [Int] {
        live.slots(of: key, numberedUpTo: last)
    }

    private func choose(_ key: String) -> Int {
        if let known = memory[key]?.slot, !places.isTaken(known) { return known }
        let lowest = places.lowestFree
        guard lowest <= Self.pageSlots else { return lowest }
        // When each slot of the first page was used last; 0 if no key remembers it.
        var lastUse = [UInt64](repeating: 0, count: Self.pageSlots + 1)
        for (slot, used) in memory.values where slot <= Self.pageSlots {
            lastUse[slot] = max(lastUse[slot], used)
        }
        let free = (lowest...Self.pageSlots).filter { !places.isTaken($0) }
        return free.min { (lastUse[$0], $0) < (lastUse[$1], $1) } ?? lowest
    }

    /// Remembers the slot of a key; returns the key that was forgotten to keep to `keyLimit`.
    private mutating func remember(_ key: String, in slot: Int, used: UInt64) -> String? {
        memory[key] = (slot, used)
        uses.put(key, age: used)
        guard uses.count > Self.keyLimit, let (oldest, _) = uses.takeOldest() else { return nil }
        memory[oldest] = nil
        return oldest
    }

    private mutating func take(_ slot: Int, _ key: String) {
        if slot < Self.slotLimit { _ = places.claim(slot) } else { _ = places.assign() }
        live.add(key, at: slot)
    }
}
