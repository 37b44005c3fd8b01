/// Where each of the keys used last had its slot: the least recently used leaves.
struct SlotMemory: Sendable {
    private var slots: [String: Int] = [:]
    /// The greater the number, the later a key was used.
    private var uses = AgeOrder<String, UInt64>()
    /// The latest use of each slot of the first page that a key is remembered in.
    private var latest: [Int: UInt64] = [:]

    var count: Int { slots.count }

    /// The slot remembered for a key.
    subscript(key: String) -> Int? { slots[key] }

    /// When a key was used last.
    func lastUse(of key: String) -> UInt64? { uses[key] }

    /// When a slot of the first page was used last by a key that is remembered in it.
    func lastUse(ofPageSlot slot: Int) -> UInt64? { latest[slot] }

    mutating func remember(_ key: String, in slot: Int, used: UInt64) {
        let former = uses[key]
        uses.put(key, age: used)
        if let old = slots.updateValue(slot, forKey: key), old != slot, let former {
            lookAgain(atSlot: old, used: former)
        }
        guard slot <= SlotBook.pageSlots else { return }
        latest[slot] = max(latest[slot] ?? 0, used)
    }

    /// If more keys are remembered than may be: forgets the one used least recently.
    mutating func takeTooMany() -> String? {
        guard uses.count > SlotBook.keyLimit, let (key, used) = uses.takeOldest(),
            let slot = slots.removeValue(forKey: key)
        else { return nil }
        lookAgain(atSlot: slot, used: used)
        return key
    }

    /// A key that was used then is not remembered in this slot any more.
    ///
    /// Hardly ever was that the latest use of a slot that others had too.
    private mutating func lookAgain(atSlot slot: Int, used: UInt64) {
        guard latest[slot] == used else { return }
        latest[slot] = nil
        for (key, other) in slots where other == slot {
            latest[slot] = max(latest[slot] ?? 0, uses[key] ?? 0)
        }
    }
}
