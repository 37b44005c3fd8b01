import Foundation
import Testing

/// How right a bar is that was read from output, and that none is shown where there is no progress.
///
/// `Tools/Benchmarks/reading-score` prints the table.
@Suite struct ReadingScoreTests {
    @Test(
        "what is shown is right as long as it was, and seldom false",
        arguments: TimedOutput.truthful
    )
    func truthful(output: TimedOutput) throws {
        try #require(!output.pieces.isEmpty, "there is no recording of it")
        let score = try output.score()
        let limits = TimedOutput.limits[output.name] ?? (right: 0.85, wrong: 0)
        #expect(score.right >= limits.right, "\(score.line)")
        #expect(score.wrong <= limits.wrong, "\(score.line)")
    }

    @Test("numbers that are no progress make no bar", arguments: TimedOutput.adversarial)
    func adversarial(output: TimedOutput) throws {
        try #require(!output.pieces.isEmpty, "there is no recording of it")
        let score = try output.score()
        #expect(score.wrong == 0, "\(score.line)")
    }

    @Test("the table", .enabled(if: ProcessInfo.processInfo.environment["READING_SCORE"] != nil))
    func table() throws {
        let outputs = TimedOutput.truthful + TimedOutput.adversarial
        let scores = try outputs.map { try $0.score() }
        print("program                    right    false")
        for score in scores { print(score.line) }
        for (name, part) in [
            ("true", scores.prefix(TimedOutput.truthful.count)),
            ("adversarial", scores.suffix(TimedOutput.adversarial.count)),
        ] {
            let mean = { (value: (ReadingScore) -> Double) -> Int in
                let sum: Double = part.map(value).reduce(0, +)
                return Int((sum / Double(part.count) * 100).rounded())
            }
            print(
                "\(name), \(part.count) programs: \(mean(\.right)) % right, \(mean(\.wrong)) % false"
            )
        }
    }
}

extension TimedOutput {
    /// Of those that cannot be right for 85 % of their time.
    static let limits: [String: (right: Double, wrong: Double)] = [
        // What prints seldom is known in large steps.
        "aria2": (0.7, 0), "pytest": (0.6, 0), "nmap": (0.4, 0), "pytorch": (0.35, 0),
        // A bar with a title is a part.
        "enlighten": (0, 0),
        // Whether the percentage is of the task or of all shows when it is more than a half.
        "handbrake": (0.65, 0),
        // That a first phase is not all shows when the second begins, or nothing more comes.
        "par2 verify": (0, 0.02), "badblocks": (0, 0.12), "yt-dlp": (0, 0.3),
        "flash and verify": (0, 0.3), "scp of several": (0, 0.25), "a long silent end": (0, 0.1),
        "curl in a script": (0, 0.1),
    ]
}
