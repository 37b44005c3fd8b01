/// The keys of live jobs, and the free numbers to put behind a key: `nightly`, `nightly#2`.
struct LiveKeys: Sendable {
    private var keyAt: [Int: String] = [:]
    /// The slots of each key; more than one if a journal gave the key twice.
    private var slotsOf: [String: [Int]] = [:]
    /// For each key, the numbers from 2 that live jobs have behind it, whoever chose those numbers.
    private var numbers: [String: PlaceBook] = [:]

    /// The slots of the live jobs with this key.
    func slots(of key: String) -> [Int] { slotsOf[key] ?? [] }

    /// The slots of the live jobs with this key, alone or with a number up to `last` behind it.
    func slots(of key: String, numberedUpTo last: Int) -> [Int] {
        // Most keys have no job with a number: then no further key is made.
        guard numbers[key] != nil else { return slots(of: key) }
        return (Self.firstNumber...last).reduce(slots(of: key)) { $0 + slots(of: "\(key)#\($1)") }
    }

    /// The key as it is if no live job has it, else with the first free number.
    func unique(_ key: String) -> String {
        guard slotsOf[key] != nil else { return key }
        return "\(key)#\(Self.firstNumber + (numbers[key]?.lowestFree ?? 0))"
    }

    mutating func add(_ key: String, at slot: Int) {
        keyAt[slot] = key
        slotsOf[key, default: []].append(slot)
        guard let (base, place) = Self.parts(of: key) else { return }
        _ = numbers[base, default: PlaceBook()].claim(place)
    }

    /// Removes the job in a slot; returns whether there was one.
    mutating func remove(at slot: Int) -> Bool {
        guard let key = keyAt.removeValue(forKey: slot) else { return false }
        slotsOf[key]?.removeAll { $0 == slot }
        guard slotsOf[key]?.isEmpty == true else { return true }
        slotsOf[key] = nil
        guard let (base, place) = Self.parts(of: key) else { return true }
        numbers[base]?.release(place)
        if numbers[base]?.isEmpty == true { numbers[base] = nil }
        return true
    }

    private static let firstNumber = 2

    /// Splits a key that `unique` could have made: the text before the last `#`, and the number's
    /// place.
    private static func parts(of key: String) -> (base: String, place: Int)? {
        guard let mark = key.utf8.lastIndex(of: UInt8(ascii: "#")) else { return nil }
        let digits = key[key.utf8.index(after: mark)...]
        guard let number = Int(digits), number >= firstNumber, String(number) == digits else {
            return nil
        }
        return (String(key[..<mark]), number - firstNumber)
    }
}
