import Foundation

/// All rounds of a run.
enum Chaos {
    /// Returns the exit code.
    static func run(_ plan: ChaosPlan) async -> Int32 {
        say("seed \(plan.seed)")
        Interruption.expect()
        var tally = Tally()
        var left = plan.seconds
        while left > 0, tally.violations.isEmpty, !Interruption.hasCome {
            let seconds = left < 2 * ChaosPlan.roundSeconds ? left : ChaosPlan.roundSeconds
            left -= seconds
            tally.rounds += 1
            let seed = plan.seed &+ UInt64(tally.rounds - 1) &* 0x1_0001
            guard let round = Round(plan, seed: seed, seconds: seconds, tally) else { return 71 }
            let isDone = await round.run()
            tally = round.tally
            round.remove(keepingFiles: !tally.violations.isEmpty)
            if !isDone, !Interruption.hasCome { return 71 }
        }
        for sentence in tally.violations.prefix(50) { say(sentence) }
        if tally.violations.count > 50 { say("… and \(tally.violations.count - 50) more") }
        say(tally.json(plan))
        if Interruption.hasCome { return 130 }
        return tally.violations.isEmpty ? 0 : 1
    }
}
