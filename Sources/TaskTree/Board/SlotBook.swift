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
/// the first page and, when the book is full, at the book.
package struct SlotBook: Sendable {
    /// How many keys are remembered.
    package static let keyLimit = 1_000
    /// Slots of the first page, which are shared out again; above, the lowest free one is taken.
    package static let pageSlots = 64
    /// Slots from here on cannot be claimed or remembered.
    package static let slotLimit = PlaceBook.claimLimit

    private struct Memory {
        var slot: Int
        var used: UInt64
    }

    private var remembered: [String: Memory] = [:]
    private var liveKeys: [Int: String] = [:]
    private var keyUsers: [String: Int] = [:]
    private var places = PlaceBook()
    private var clock: UInt64 = 0
    private var highest: Int?

    package init() {
        // There is no slot 0.
        _ = places.claim(0)
    }

    /// Takes over what a former life of the book remembered; nonsense is left out.
    package mutating func remember(key: String, slot: Int, used: UInt64) {
        guard slot > 0, slot < Self.slotLimit else { return }
        if let known = remembered[key], known.used > used { return }
        remembered[key] = Memory(slot: slot, used: used)
        clock = max(clock, used)
        _ = dropOldest()
    }

    /// Gives a live job a slot and says what to keep of it.
    ///
    /// The slot remembered for its key if free; else among the first page the lowest free one
    /// nobody remembers, else the free one least recently used; else the lowest free above.
    package mutating func assign(key: String) -> (slot: Int, changes: [SlotBookChange]) {
        let slot = choose(key)
        take(slot, key)
        clock &+= 1
        remembered[key] = Memory(slot: slot, used: clock)
        let change = SlotBookChange.remembered(key: key, slot: slot, used: clock)
        return (slot, [change] + dropOldest().map { .forgotten(key: $0) })
    }

    /// Gives a live job the very slot it had before; `false` if that is taken or nonsense.
    package mutating func claim(slot: Int, key: String) -> Bool {
        guard slot > 0, slot < Self.slotLimit, places.claim(slot) else { return false }
        note(slot, key)
        return true
    }

    /// The job has left; its slot is free, but still remembered for its key.
    package mutating func release(slot: Int) {
        guard let key = liveKeys.removeValue(forKey: slot) else { return }
        places.release(slot)
        let users = (keyUsers[key] ?? 1) - 1
        keyUsers[key] = users > 0 ? users : nil
        if slot == highest { highest = nil }
    }

    /// The highest slot a live job has; 0 without any.
    package var highestUsed: Int {
        highest ?? liveKeys.keys.max() ?? 0
    }

    /// The key as it is if no live job has it, else with the first free number: `nightly#2`.
    package func uniqueKey(_ key: String) -> String {
        guard keyUsers[key] != nil else { return key }
        var number = 2
        while keyUsers["\(key)#\(number)"] != nil { number += 1 }
        return "\(key)#\(number)"
    }

    private mutating func choose(_ key: String) -> Int {
        if let known = remembered[key], !places.isTaken(known.slot) { return known.slot }
        var lastUse: [Int: UInt64] = [:]
        for memory in remembered.values where memory.slot <= Self.pageSlots {
            lastUse[memory.slot] = max(lastUse[memory.slot] ?? 0, memory.used)
        }
        let free = (1...Self.pageSlots).filter { !places.isTaken($0) }
        if let slot = free.first(where: { lastUse[$0] == nil }) { return slot }
        if let slot = free.min(by: { (lastUse[$0] ?? 0, $0) < (lastUse[$1] ?? 0, $1) }) {
            return slot
        }
        // The first page is full: the lowest free one is above.
        let slot = places.assign()
        places.release(slot)
        return slot
    }

    private mutating func take(_ slot: Int, _ key: String) {
        if slot < Self.slotLimit { _ = places.claim(slot) } else { _ = places.assign() }
        note(slot, key)
    }

    private mutating func note(_ slot: Int, _ key: String) {
        highest = max(highestUsed, slot)
        liveKeys[slot] = key
        keyUsers[key, default: 0] += 1
    }

    /// Keeps the book within its limit; returns the keys that left.
    private mutating func dropOldest() -> [String] {
        var dropped: [String] = []
        while remembered.count > Self.keyLimit {
            let oldest = remembered.min { ($0.value.used, $0.key) < ($1.value.used, $1.key) }
            guard let key = oldest?.key else { break }
            remembered[key] = nil
            dropped.append(key)
        }
        return dropped
    }
}
