import BusProtocol

/// The bytes of an input as a row of choices; when they are used up every choice is the first.
struct Choices {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isEmpty: Bool { next >= bytes.count }

    mutating func byte() -> UInt8 {
        guard next < bytes.count else { return 0 }
        defer { next += 1 }
        return bytes[next]
    }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// A number from 0 on, below `count`.
    mutating func number(below count: Int) -> Int { Int(byte()) % count }

    mutating func of<Element>(_ elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }

    /// Mostly a small number, sometimes one at the edge of what some arithmetic can take.
    mutating func edge() -> UInt64 { of(Self.edges) }

    /// The same as a number with a sign, never negative.
    mutating func amount() -> Int64 { Int64(clamping: edge()) }

    /// The index of a task: those that many operations name, or one at an edge.
    mutating func index() -> UInt64 {
        let byte = byte()
        return byte < 240 ? UInt64(byte % 12) + 1 : max(1, edge())
    }

    mutating func text() -> String { of(Self.texts) }

    /// A text, or the longest that a detail, a reason or a command line may be.
    mutating func longText() -> String {
        let byte = byte()
        return byte < 128 ? Self.texts[Int(byte) % Self.texts.count] : Self.longestText
    }

    /// A Unix time: none, about now, long ago, long from now.
    mutating func time() -> Double { of(Self.times) }

    private static let times = [
        0, 0, SessionStage.unixTime - 3_600, SessionStage.unixTime + 1,
        SessionStage.unixTime + 3_600, 1e-300, 1, Double(1 << 31), ProtocolLimits.maxUnixTime,
    ]

    private static let edges: [UInt64] = [
        0, 1, 2, 3, 5, 10, 100, 1_000, 50, 7, 1 << 16, 1 << 20, 10_000, 10_001,
        (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, 1 << 48, 1 << 50, (1 << 53),
        1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max,
    ]

    static let longestText = String(repeating: "w", count: 500)

    private static let texts = [
        "", "x", "Job", "Job", "a longer title that a person could read", "\u{1b}[2J", "\u{0}\u{7}",
        "\u{9b}31m\u{2028}\u{85}", "nightly#2", "key:Job", "1", "über 🌙", "1-0000000000001",
        String(repeating: "w", count: 200), String(repeating: "é", count: 25),
    ]
}
