/// A set of characters.
struct CharacterSet: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isInverted = false

    func contains(_ character: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(character.value) } != isInverted
    }

    static let digits = CharacterSet(ranges: [0x30...0x39])
    /// Letters of other languages too: everything that is neither ASCII nor a space.
    static let word = CharacterSet(
        ranges: [
            0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a, 0xaa...0x1fff, 0x2c00...0x10_ffff,
        ]
    )
    static let spaces = CharacterSet(ranges: [0x09...0x0d, 0x20...0x20, 0xa0...0xa0])
    static let any = CharacterSet(ranges: [], isInverted: true)
}
