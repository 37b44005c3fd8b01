import BusProtocol

/// The frames in one input: each begins with the magic, as in `Protocol/vectors`.
///
/// Two bytes of the header that no decoder looks at steer what happens between frames: the minor
/// version says how much time passes, the last byte which topic an update belongs to.
struct FrameSequence: Sequence, IteratorProtocol {
    /// One frame and what is to be done with it.
    struct Element {
        var bytes: [UInt8]
        /// The kind that the header claims.
        var kind: UInt8
        /// Seconds that pass after it.
        var pause: Double
        var selector: Int
    }

    /// Longer inputs show nothing new and are slow.
    private static let limit = 64

    private var rest: ArraySlice<UInt8>
    private var count = 0

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func next() -> Element? {
        guard !rest.isEmpty, count < Self.limit else { return nil }
        count += 1
        var end = rest.startIndex + 1
        while end < rest.endIndex, !rest[end...].starts(with: FrameHeader.magic) { end += 1 }
        let bytes = Array(rest[..<end])
        rest = rest[end...]
        guard bytes.count >= FrameHeader.size else {
            return Element(bytes: bytes, kind: 0, pause: 0.05, selector: 0)
        }
        let time = Double(bytes[5])
        return Element(
            bytes: bytes,
            kind: bytes[6],
            pause: 0.05 + time * time / 1_000,
            selector: Int(bytes[7])
        )
    }
}
