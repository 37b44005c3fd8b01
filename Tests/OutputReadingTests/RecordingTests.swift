@testable import OutputReading
import TestSupport
import Testing

/// Real programs' output, byte for byte.
@Suite struct RecordingTests {
    private static let seed: UInt64 = 20_261_121

    @Test("the end is the true end, and nothing fell on the way", arguments: Recording.all)
    func end(of recording: Recording) throws {
        let summary = try Self.read(
            recording,
            as: recording.words,
            pieces: Self.even(try recording.bytes(), 200)
        )
        #expect(summary.lines == recording.end)
        for (part, way) in summary.ways {
            for (before, after) in zip(way, way.dropFirst()) {
                #expect(before.completed <= after.completed, "\(part ?? "-")")
                guard !recording.totalGrows else { continue }
                #expect(
                    Self.fraction(before) <= Self.fraction(after) + 1e-9,
                    "\(part ?? "-"): \(before), then \(after)"
                )
            }
        }
    }

    @Test("an unknown command's output is recognized by its lines", arguments: Recording.all)
    func sight(of recording: Recording) throws {
        let summary = try Self.read(
            recording,
            as: CommandWords(["./everything.sh"]),
            pieces: Self.even(try recording.bytes(), 200)
        )
        #expect(summary.lines == recording.endBySight)
    }

    @Test("pieces make no difference at the end", arguments: Recording.all)
    func pieces(of recording: Recording) throws {
        let bytes = try recording.bytes()
        let whole = try Self.read(recording, as: recording.words, pieces: [bytes[...]])
        let single = try Self.read(recording, as: recording.words, pieces: Self.even(bytes, 1))
        #expect(single == whole, "byte by byte: \(single.lines)")
        var random = SplitMix64(seed: Self.seed)
        for round in 0..<4 {
            let longest = [3, 40, 400, 4_000].randomElement(using: &random) ?? 40
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = Int.random(in: 1...longest, using: &random)
                pieces.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            let cut = try Self.read(recording, as: recording.words, pieces: pieces)
            #expect(
                cut == whole,
                "seed \(Self.seed), round \(round), pieces up to \(longest): \(cut.lines)"
            )
        }
    }

    /// Wrong bytes: never a trap, never nonsense; the fuzzer of `output` plays more.
    @Test("mutations never give nonsense", arguments: Recording.all)
    func mutations(of recording: Recording) throws {
        let bytes = try recording.bytes()
        var random = SplitMix64(seed: Self.seed)
        for number in 0..<250 {
            let start = Int.random(in: 0..<max(bytes.count, 1), using: &random)
            var piece = Array(bytes[start...].prefix(400))
            for _ in 0..<Int.random(in: 1...8, using: &random) where !piece.isEmpty {
                let place = Int.random(in: piece.indices, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: piece[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: piece[place] = UInt8.random(in: 0x30...0x39, using: &random)
                case 2: piece.remove(at: place)
                case 3: piece.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
                default: piece.insert(.random(in: 0...255, using: &random), at: place)
                }
            }
            let command = number % 2 == 0 ? recording.words : CommandWords(["x"])
            var reader = try OutputReader(choice: .automatic(command))
            let middle = Int.random(in: 0...piece.count, using: &random)
            let samples =
                reader.read(piece[..<middle]) + reader.read(piece[middle...], from: .error)
                + reader.finish()
            let nonsense = samples.first { sample in
                sample.completed ?? 0 < 0 || sample.total ?? 1 < 1
                    || sample.part?.isEmpty == true || sample.part == nil && sample.isDone
            }
            if let nonsense {
                Issue.record("seed \(Self.seed), number \(number): \(nonsense)")
            }
        }
    }

    private static func read(
        _ recording: Recording,
        as command: CommandWords,
        pieces: [ArraySlice<UInt8>]
    ) throws -> Summary {
        var reader = try OutputReader(choice: .automatic(command))
        var summary = Summary()
        for (number, piece) in pieces.enumerated() {
            summary.add(reader.read(piece))
            summary.add(reader.tick(at: Double(number) / 1_000))
        }
        summary.add(reader.finish())
        return summary
    }

    private static func even(_ bytes: [UInt8], _ length: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: length).map {
            bytes[$0..<min($0 + length, bytes.count)]
        }
    }

    private static func fraction(_ state: (completed: Int64, total: Int64?)) -> Double {
        state.total.map { Double(state.completed) / Double($0) } ?? 0
    }
}
