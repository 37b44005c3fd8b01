import TaskTree
import TestSupport
import Testing

/// Slots on the board and places below a parent.
@Suite struct BoardTests {
    @Test func `a job gets the slot remembered for its key`() {
        var book = SlotBook()
        let ofA = book.assign(key: "a")
        #expect(ofA.slot == 1)
        let ofB = book.assign(key: "b")
        #expect(ofB.slot == 2)
        book.release(slot: 1)
        // Slot 1 is free, but somebody's.
        let ofC = book.assign(key: "c")
        #expect(ofC.slot == 3)
        let again = book.assign(key: "a")
        #expect(again.slot == 1)
        #expect(again.changes == [.remembered(key: "a", slot: 1, used: 4)])
        #expect(book.highestUsed == 3)
        book.release(slot: 3)
        #expect(book.highestUsed == 2)
    }

    @Test func `without a slot nobody remembers the least recently used one is taken`() {
        var book = SlotBook()
        for number in 1...64 {
            let given = book.assign(key: "k\(number)")
            #expect(given.slot == number)
        }
        let ofAbove = book.assign(key: "above")
        #expect(ofAbove.slot == 65)
        book.release(slot: 7)
        book.release(slot: 9)
        let ofK7 = book.assign(key: "k7")
        #expect(ofK7.slot == 7)
        book.release(slot: 7)
        let ofNew = book.assign(key: "new")
        #expect(ofNew.slot == 9)
        let ofK9 = book.assign(key: "k9")
        #expect(ofK9.slot == 7)
        let ofMore = book.assign(key: "more")
        #expect(ofMore.slot == 66)
    }

    @Test func `the book keeps a thousand keys and forgets the least recently used`() {
        var book = SlotBook()
        for number in 1...1_000 {
            book.remember(key: "k\(number)", slot: number, used: UInt64(number))
        }
        let (slot, changes) = book.assign(key: "new")
        #expect(slot == 1)
        #expect(changes.contains(.forgotten(key: "k1")))
        #expect(changes.contains(.remembered(key: "new", slot: 1, used: 1_001)))
        let ofK500 = book.assign(key: "k500")
        #expect(ofK500.slot == 500)
        book.remember(key: "nonsense", slot: -4, used: 3)
        book.remember(key: "nonsense", slot: .max, used: 3)
    }

    @Test func `a live job takes its own slot back unless it is taken`() {
        var book = SlotBook()
        let first = book.claim(slot: 70, key: "a")
        let second = book.claim(slot: 70, key: "b")
        let nonsense = book.claim(slot: 0, key: "b") || book.claim(slot: .max, key: "b")
        #expect(first && !second && !nonsense)
        #expect(book.highestUsed == 70)
        #expect(book.uniqueKey("a") == "a#2")
        book.release(slot: 70)
        #expect(book.uniqueKey("a") == "a")
        #expect(book.highestUsed == 0)
    }

    @Test func `live jobs with the same key are told apart`() {
        var book = SlotBook()
        var keys: [String] = []
        for _ in 1...3 {
            keys.append(book.uniqueKey("nightly"))
            _ = book.assign(key: keys.last ?? "")
        }
        #expect(keys == ["nightly", "nightly#2", "nightly#3"])
        book.release(slot: 2)
        #expect(book.uniqueKey("nightly") == "nightly#2")
    }

    @Test func `places are the lowest free ones`() {
        var book = PlaceBook()
        for place in 0..<200 {
            let given = book.assign()
            #expect(given == place)
        }
        book.release(150)
        book.release(3)
        book.release(3)
        let lowest = book.assign()
        #expect(lowest == 3)
        let next = book.assign()
        #expect(next == 150)
        let last = book.assign()
        #expect(last == 200)
    }

    @Test func `a claimed place is nobody else's`() {
        var book = PlaceBook()
        let isFree = book.claim(2)
        #expect(isFree)
        let isFreeAgain = book.claim(2)
        #expect(!isFreeAgain)
        let isNegativeFree = book.claim(-1)
        #expect(!isNegativeFree)
        let isHugeFree = book.claim(.max)
        #expect(!isHugeFree)
        let isFarFree = book.claim(100_000)
        #expect(isFarFree)
        let given = (0..<4).map { _ in book.assign() }
        #expect(given == [0, 1, 3, 4])
        book.release(2)
        let released = book.assign()
        #expect(released == 2)
    }

    @Test(arguments: 1...10)
    func `places agree with a set at random`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var book = PlaceBook()
        var taken: Set<Int> = []
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let lowest = (0...).first { !taken.contains($0) }
                let place = book.assign()
                #expect(place == lowest, "seed \(seed)")
                taken.insert(place)
            case 2:
                let place = Int.random(in: 0..<300, using: &random)
                let isClaimed = book.claim(place)
                #expect(isClaimed == taken.insert(place).inserted, "seed \(seed)")
            default:
                let place = Int.random(in: 0..<300, using: &random)
                book.release(place)
                taken.remove(place)
            }
            #expect(book.highest == taken.max(), "seed \(seed)")
            #expect(book.isEmpty == taken.isEmpty, "seed \(seed)")
        }
    }
}
