/// What the journal is told when a slot is assigned.
package enum SlotBookChange: Hashable, Sendable {
    /// The key was last seen in this slot; `used` orders by recency.
    case remembered(key: String, slot: Int, used: UInt64)
    /// The key left the book.
    case forgotten(key: String)
}

/// Where jobs stand on the board, from slot 1: the same job in the same slot tomorrow.
///
/// Remembers the slots of 1,000 keys; the least recently used leaves. `assign` costs a look at
/// the first page and, while that has room, at what is remembered, however many jobs there are.
package struct SlotBook: Sendable {
    /// How many keys are remembered.
    package static let keyLimit = 1_000
    /// Slots of the first page, which are shared out again; above, the lowest free one is taken.
    package static let pageSlots = 64
    /// Slots from here on cannot be claimed or remembered.
    package static let slotLimit = PlaceBook.claimLimit

    /// The slot of each remembered key, and when it was used last: the greater, the later.
    private var memory: [String: (slot: Int, used: UInt64)] = [:]
    /// The same keys, for the one that leaves first.
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

    /// Takes over what the book of an earlier broker held; what is out of range is left out.
    package mutating func remember(key: String, slot: Int, used: UInt64) {
        guard slot > 0, slot < Self.slotLimit else { return }
        if let known = memory[key], known.used > used { return }
        clock = max(clock, used)
        _ = remember(key, in: slot, used: used)
    }

    /// Gives a live job a slot and says what to keep of it.
    ///
    /// The slot remembered for its key if free; else among the first page the lowest free one
    /// nobody remembers, else the free one least recently used; else the lowest free above.
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

    /// Gives a live job the very slot it had before; `false` if that is taken or nonsense.
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
        // 0 where nobody remembers the slot.
        var lastUse = [UInt64](repeating: 0, count: Self.pageSlots + 1)
        for (slot, used) in memory.values where slot <= Self.pageSlots {
            lastUse[slot] = max(lastUse[slot], used)
        }
        let free = (lowest...Self.pageSlots).filter { !places.isTaken($0) }
        return free.min { (lastUse[$0], $0) < (lastUse[$1], $1) } ?? lowest
    }

    /// If more keys are remembered than may be, forgets the one used least recently, and returns it.
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
