import BusProtocol
import TestSupport
import Testing

/// Whatever arrives, decoding gives a valid message or a violation and never ends the process.
@Suite struct MutationTests {
    @Test func damagedFramesAreDecodedOrRefused() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        // The greatest frames would only make this slow.
        let frames = Vectors.all.map { (kind: $0.kind, bytes: $0.bytes) }
            .filter { $0.bytes.count < 10_000 }
        var accepted = 0
        var refused = 0
        for round in 0..<25_000 {
            let (kind, original) = frames[Int.random(in: 0..<frames.count, using: &random)]
            let other = frames[Int.random(in: 0..<frames.count, using: &random)].bytes
            let frame = damaged(original, with: other, using: &random)
            do {
                let message = try VectorCase.decode(frame, as: kind)
                let again = try VectorCase.decode(message.frame, as: kind)
                #expect(
                    again.frame == message.frame,
                    "seed \(seed), round \(round): \(frame.hex)"
                )
                accepted += 1
            } catch {
                #expect(
                    !error.sentence.isEmpty
                        && error.sentence.utf8.count <= ProtocolLimits.sentenceBytes,
                    "seed \(seed), round \(round): \(frame.hex)"
                )
                refused += 1
            }
        }
        print("mutations: seed \(seed), \(accepted) accepted, \(refused) refused")
        #expect(accepted > 1_000 && refused > 1_000, "seed \(seed)")
    }

    @Test func everyPrefixOfEveryVectorIsDecodedOrRefused() {
        for vector in Vectors.all where vector.bytes.count < 2_000 {
            let bytes = vector.bytes
            for length in 0..<bytes.count {
                _ = try? VectorCase.decode(Array(bytes.prefix(length)), as: vector.kind)
            }
        }
    }

    /// Flips bits, cuts, splices and repeats; mostly behind the header, which has few ways to fail.
    private func damaged(
        _ original: [UInt8],
        with other: [UInt8],
        using random: inout SplitMix64
    ) -> [UInt8] {
        var frame = original
        for _ in 0...Int.random(in: 0..<3, using: &random) {
            let start = min(random.oneIn(20) ? 0 : FrameHeader.size, frame.count)
            let place = Int.random(in: start...frame.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where place < frame.count:
                frame[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where place < frame.count:
                frame[place] = UInt8.random(in: 0...255, using: &random)
            case 2:
                frame.removeSubrange(place...)
            case 3:
                let from = Int.random(in: 0...other.count, using: &random)
                let to = Int.random(in: from...other.count, using: &random)
                frame.insert(contentsOf: other[from..<to], at: place)
            default:
                let end = Int.random(in: place...frame.count, using: &random)
                frame.append(contentsOf: frame[place..<end])
            }
        }
        return frame
    }
}
