import Foundation
import TestSupport

/// Compares what the broker says of jobs with several workers with what others would say.
///
/// `tree-times [TAG [JOBS]]`: so many jobs of each kind; the same tag gives the same jobs. The
/// truth is when the job ended.
@main
struct TreeTimes {
    static func main() {
        let arguments = CommandLine.arguments
        let tag = arguments.count > 1 ? arguments[1] : "trees"
        let jobs = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 24
        guard jobs > 0 else {
            FileHandle.standardError.write(Data("tree-times: JOBS is a number above 0\n".utf8))
            exit(64)
        }
        print("Mean error (jitter) over \(jobs) jobs of each kind, tag \(tag)\n")
        print("| kind of job | told | average | moving average 30 |\n|---|---|---|---|")
        for kind in Shape.kinds { print(row(kind.name, kind.make, tag, jobs)) }
    }

    private static func row(
        _ name: String,
        _ make: (inout SplitMix64) -> Shape,
        _ tag: String,
        _ jobs: Int
    ) -> String {
        var told = Verdict()
        var rivals = Rival.allCases.map { ($0, Verdict()) }
        for number in 0..<jobs {
            let seed = seed("\(tag):\(name):\(number)")
            var random = SplitMix64(seed: seed)
            var play = Play(make(&random), seed: seed &+ 1)
            let sights = play.play()
            told.add(sights, sights.map(\.told))
            for place in rivals.indices {
                rivals[place].1.add(sights, rivals[place].0.estimates(sights))
            }
        }
        let cells = ([told] + rivals.map(\.1)).map {
            String(format: "%.0f %% (%.2f)", 100 * $0.meanError, $0.meanJitter)
        }
        return "| \(name) | \(cells.joined(separator: " | ")) |"
    }

    /// FNV-1a.
    private static func seed(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
