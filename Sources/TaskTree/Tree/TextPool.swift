/// Short texts, many of them, in a few large pages: each takes its bytes and hardly more.
///
/// Room is given in steps of eight bytes; what a text leaves is taken by another as long. Texts of
/// more than 255 bytes are kept as they are.
struct TextPool: Sendable {
    /// Where a text is; the empty one is nowhere.
    struct Place: Equatable, Sendable {
        fileprivate var number: UInt32 = 0

        static let empty = Place()
        var isEmpty: Bool { number == 0 }
    }

    private static let step = 8
    private static let pageSteps = 8_192
    private static let longest = 255
    /// Set in the numbers of long texts.
    private static let long: UInt32 = 1 << 31

    /// One byte of length in front of each text.
    private var pages: [[UInt8]] = []
    /// Steps used of the last page; the very first one is nobody's, as its number is 0.
    private var used = pageSteps
    /// Places that have been left, by the steps they have.
    private var free: [[UInt32]] = Array(
        repeating: [],
        count: (longest + 1 + step - 1) / step + 1
    )
    private var longTexts = Pool<String>()

    mutating func insert(_ text: String) -> Place {
        let utf8 = text.utf8
        guard !utf8.isEmpty else { return .empty }
        let steps = Self.steps(utf8.count)
        guard utf8.count <= Self.longest, let number = room(steps) else {
            return Place(number: UInt32(longTexts.insert(text)) | Self.long)
        }
        let (page, start) = Self.location(number)
        pages[page][start] = UInt8(utf8.count)
        pages[page].replaceSubrange(start + 1..<start + 1 + utf8.count, with: utf8)
        return Place(number: number)
    }

    func text(at place: Place) -> String {
        guard !place.isEmpty else { return "" }
        guard place.number & Self.long == 0 else { return longTexts[Self.slot(place)] }
        return String(decoding: bytes(at: place), as: UTF8.self)
    }

    func holds(_ text: String, at place: Place) -> Bool {
        guard !place.isEmpty else { return text.isEmpty }
        guard place.number & Self.long == 0 else { return longTexts[Self.slot(place)] == text }
        return bytes(at: place).elementsEqual(text.utf8)
    }

    mutating func remove(at place: Place) {
        guard !place.isEmpty else { return }
        guard place.number & Self.long == 0 else {
            longTexts.remove(Self.slot(place), leaving: "")
            return
        }
        free[Self.steps(bytes(at: place).count)].append(place.number)
    }

    private func bytes(at place: Place) -> ArraySlice<UInt8> {
        let (page, start) = Self.location(place.number)
        return pages[page][start + 1..<start + 1 + Int(pages[page][start])]
    }

    /// A place of so many steps; `nil` if there are no more numbers.
    private mutating func room(_ steps: Int) -> UInt32? {
        if let number = free[min(steps, free.count - 1)].popLast() { return number }
        if used + steps > Self.pageSteps {
            guard pages.count < Int(Self.long) / Self.pageSteps else { return nil }
            used = pages.isEmpty ? 1 : 0
            pages.append(Array(repeating: 0, count: Self.pageSteps * Self.step))
        }
        defer { used += steps }
        return UInt32((pages.count - 1) * Self.pageSteps + used)
    }

    private static func steps(_ length: Int) -> Int { (length + 1 + step - 1) / step }

    private static func location(_ number: UInt32) -> (page: Int, start: Int) {
        (Int(number) / pageSteps, Int(number) % pageSteps * step)
    }

    private static func slot(_ place: Place) -> Slot { Slot(place.number & ~long) }
}
