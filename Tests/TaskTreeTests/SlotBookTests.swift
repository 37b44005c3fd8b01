import TaskTree
import TestSupport
import Testing

/// Very many jobs, and slots and keys that agree with what looking at everything gives.
@Suite struct SlotBookTests {
    @Test(arguments: 1...20)
    func `slots and keys agree with a book that looks at everything`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var book = SlotBook()
        var simple = SimpleSlotBook()
        // Some of the keys look as if a number had been put behind another.
        let bases = ["a", "a#2", "a#3", "a#2#2", "a#02", "#2", "ä"]
        let keys = bases + (0..<(seed.isMultiple(of: 4) ? 1_500 : 90)).map { "k\($0)" }
        for number in 0..<40 {
            let key = "k\(Int.random(in: 0..<60, using: &random))"
            let slot = Int.random(in: 1..<90, using: &random)
            let used = UInt64(number * 7 % 40 + 1)
            book.remember(key: key, slot: slot, used: used)
            simple.remember(key: key, slot: slot, used: used)
        }
        for slot in stride(from: 2, to: 90, by: 9) {
            let key = bases.randomElement(using: &random) ?? "a"
            let isClaimed = book.claim(slot: slot, key: key)
            #expect(isClaimed == simple.claim(slot: slot, key: key))
        }
        for _ in 0..<(seed.isMultiple(of: 4) ? 2_500 : 1_000) {
            if Int.random(in: 0..<5, using: &random) < 3 {
                let wanted = keys.randomElement(using: &random) ?? "a"
                let key = book.uniqueKey(wanted)
                #expect(key == simple.uniqueKey(wanted), "seed \(seed)")
                let given = book.assign(key: key)
                let expected = simple.assign(key: key)
                #expect(given.slot == expected.slot, "seed \(seed)")
                #expect(given.changes == expected.changes, "seed \(seed)")
            } else if let slot = simple.live.keys.sorted().randomElement(using: &random) {
                book.release(slot: slot)
                simple.release(slot: slot)
            }
            #expect(book.highestUsed == simple.live.keys.max() ?? 0, "seed \(seed)")
        }
    }

    @Test func `50,000 jobs of one title begin and leave in no time`() {
        let count = 50_000
        var book = SlotBook()
        let time = ContinuousClock().measure {
            for _ in 0..<count { _ = book.assign(key: book.uniqueKey("nightly")) }
            // The highest leaves each time, and comes again: nobody may look at all for that.
            for _ in 0..<1_000 {
                book.release(slot: book.highestUsed)
                _ = book.assign(key: book.uniqueKey("nightly"))
            }
            #expect(book.uniqueKey("nightly") == "nightly#\(count + 1)")
            book.release(slot: 17)
            #expect(book.uniqueKey("nightly") == "nightly#17")
            for slot in (1...count).reversed() { book.release(slot: slot) }
        }
        #expect(book.highestUsed == 0 && book.uniqueKey("nightly") == "nightly")
        #expect(time < .seconds(30), "it took \(time)")
    }

    @Test func `a key that ends like a numbered one is never given twice`() {
        var book = SlotBook()
        var live: Set<String> = []
        for wanted in ["nightly#2", "nightly", "nightly", "nightly#2", "nightly#3", "nightly"] {
            let key = book.uniqueKey(wanted)
            #expect(live.insert(key).inserted, "\(key)")
            _ = book.assign(key: key)
        }
        #expect(
            live == [
                "nightly", "nightly#2", "nightly#3", "nightly#2#2", "nightly#3#2", "nightly#4",
            ]
        )
        #expect(book.slots(ofKey: "nightly#2") == [1])
    }
}

/// The rules of `SlotBook`, each as it is said, with a look at everything.
private struct SimpleSlotBook {
    var live: [Int: String] = [:]
    private var remembered: [String: (slot: Int, used: UInt64)] = [:]
    private var clock: UInt64 = 0

    mutating func remember(key: String, slot: Int, used: UInt64) {
        if let known = remembered[key], known.used > used { return }
        remembered[key] = (slot, used)
        clock = max(clock, used)
        _ = dropOldest()
    }

    mutating func claim(slot: Int, key: String) -> Bool {
        guard live[slot] == nil else { return false }
        live[slot] = key
        return true
    }

    mutating func release(slot: Int) { live[slot] = nil }

    func uniqueKey(_ key: String) -> String {
        let keys = Set(live.values)
        let all = [key] + (2...(live.count + 2)).map { "\(key)#\($0)" }
        return all.first { !keys.contains($0) } ?? key
    }

    mutating func assign(key: String) -> (slot: Int, changes: [SlotBookChange]) {
        let slot = choose(key)
        live[slot] = key
        clock += 1
        remembered[key] = (slot, clock)
        let change = SlotBookChange.remembered(key: key, slot: slot, used: clock)
        return (slot, [change] + dropOldest().map { .forgotten(key: $0) })
    }

    private func choose(_ key: String) -> Int {
        if let known = remembered[key], live[known.slot] == nil { return known.slot }
        let lowest = (1...).first { live[$0] == nil } ?? 1
        guard lowest <= SlotBook.pageSlots else { return lowest }
        var lastUse: [Int: UInt64] = [:]
        for memory in remembered.values {
            lastUse[memory.slot] = max(lastUse[memory.slot] ?? 0, memory.used)
        }
        return (lowest...SlotBook.pageSlots).filter { live[$0] == nil }
            .min { (lastUse[$0] ?? 0, $0) < (lastUse[$1] ?? 0, $1) } ?? lowest
    }

    private mutating func dropOldest() -> [String] {
        guard remembered.count > SlotBook.keyLimit,
            let key = remembered.min(by: { $0.value.used < $1.value.used })?.key
        else { return [] }
        remembered[key] = nil
        return [key]
    }
}
