import Foundation
import FuzzTargets
import TestSupport
import Testing

/// A short run of every target of `Tools/TestSupport/fuzz`, without its guidance by coverage: the same inputs
/// each time, so that what was once found stays away.
///
/// A finding ends the process; the last line says which input it was.
@Suite(.serialized)
struct FuzzTests {
    private static let seed: UInt64 = 1
    private static let mutations = 400

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "inputs made of the vectors: refused or taken, never a trap",
        arguments: FuzzTarget.allCases
    )
    func shortRun(target: FuzzTarget) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "progressbus-corpora-\(UUID())"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeCorpora(in: folder)
        let corpus = folder.appending(path: target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted()
        let inputs = try names.map { [UInt8](try Data(contentsOf: corpus.appending(path: $0))) }
        try #require(!inputs.isEmpty)
        for input in inputs { target.play(input) }
        var random = SplitMix64(seed: Self.seed)
        // An input of these is a whole broker with its clients; the fuzzer itself plays more.
        let mutations = target == .sessions ? Self.mutations / 5 : Self.mutations
        for number in 0..<mutations {
            let input = mutated(inputs, using: &random)
            // What is printed last is what a trap was about.
            if number % 100 == 0 {
                print("\(target.rawValue): seed \(Self.seed), from \(number) on")
            }
            target.play(input)
        }
    }

    @Test("inputs that once were findings: no more")
    func findings() throws {
        let folder = Self.root.appending(path: "Tests/FuzzTests/Findings")
        for target in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let inputs = folder.appending(path: target)
            for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path) {
                print("\(target): \(name)")
                let input = try Data(contentsOf: inputs.appending(path: name))
                try #require(FuzzTarget(rawValue: target)).play([UInt8](input))
            }
        }
    }

    private func makeCorpora(in folder: URL) throws {
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        maker.arguments = [
            "python3", Self.root.appending(path: "Tools/TestSupport/fuzzers/make-corpora").path,
            folder.path,
        ]
        try maker.run()
        maker.waitUntilExit()
        try #require(maker.terminationStatus == 0, "Tools/TestSupport/fuzzers/make-corpora failed")
    }

    /// One of the inputs, or the beginning of one and the end of another, with some bytes changed.
    private func mutated(
        _ inputs: [[UInt8]],
        using random: inout SplitMix64
    ) -> [UInt8] {
        var input = inputs.randomElement(using: &random) ?? []
        if random.oneIn(3), let other = inputs.randomElement(using: &random) {
            let cut = Int.random(in: 0...input.count, using: &random)
            input =
                input.prefix(cut) + other.suffix(Int.random(in: 0...other.count, using: &random))
        }
        input = Array(input.prefix(4_096))
        for _ in 0..<Int.random(in: 0...6, using: &random) where !input.isEmpty {
            let place = Int.random(in: input.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: input[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
            case 2: input.remove(at: place)
            default: input.insert(.random(in: 0...255, using: &random), at: place)
            }
        }
        return input
    }
}
