import CellScreen
import ProgressBus
import TaskTree

/// What the columns of a view say of a task, in at most so many columns; empty where there is
/// nothing to say, or no room to say it right.
extension TaskSentence {
    /// "42%", of what is reported; `nil` where that is not known, or says no more.
    package var percent: String? { wholePercent.map { "\($0)%" } }

    /// The same as a number.
    package var wholePercent: Int? {
        guard row.isDeterminate, !row.isAtItsEnd else { return nil }
        return HumanNumbers.wholePercent(row.fraction)
    }

    /// Whether only its descendants say what is done: "0 of 200" beside "88 done" would be wrong.
    var isCountedByChildren: Bool { row.completed == 0 && row.counts.sum > 0 }

    /// "3 done, 2 running, 1 failed", "3 done, 1 failed", "1 failed", "1!"; else "3 done".
    package func descendants(width: Int) -> String {
        guard row.counts.sum > 0 else { return "" }
        let counts = row.counts
        let failed = HumanNumbers.counted([(counts.failed, .failed), (counts.lost, .lost)])
        let wrong = failed + halted
        let done = HumanNumbers.counted(counts.succeeded, .succeeded)
        let troubled = max(row.attentionBelow, counts.failed + counts.lost)
        // What is wrong counts before what is done.
        let short =
            wrong.isEmpty
            ? [done, HumanNumbers.compact(Int64(counts.succeeded), rounded: .down) + " done"]
            : [
                ([done] + wrong).joined(separator: ", "), wrong.joined(separator: ", "),
                HumanNumbers.compact(Int64(troubled), rounded: .down) + "!",
            ]
        return PlainText.firstFitting([descendants.joined(separator: ", ")] + short, in: width)
    }

    /// "3 done", "2 running": its descendants by state, those states that any is in.
    var descendants: [String] {
        let counts = row.counts
        return HumanNumbers.counted([
            (counts.succeeded, .succeeded), (counts.running, .running), (counts.waiting, .waiting),
            (counts.failed, .failed), (counts.cancelled, .cancelled), (counts.lost, .lost),
        ]) + halted
    }

    /// "1 needs attention": of its descendants those that the counts do not tell to be in trouble, such
    /// as stalled ones.
    private var halted: [String] {
        let number = row.haltedBelow
        guard number > 0 else { return [] }
        return [HumanNumbers.grouped(number) + (number == 1 ? " needs" : " need") + " attention"]
    }

    /// "3/6": how many of its descendants have ended, and how many there are or will be.
    var endedBelow: String {
        let counts = row.counts
        let ended = counts.succeeded + counts.failed + counts.cancelled + counts.lost
        let all = max(counts.sum, row.options.expectedChildren ?? 0)
        return HumanNumbers.grouped(ended) + "/" + HumanNumbers.grouped(all)
    }

    /// Whether an amount may be told with its total.
    ///
    /// Beside a percentage that says something else, a person would take one of the two for wrong.
    /// Without a percentage the sums of what is below a task may be only a part of what is to come.
    func agrees(_ completed: Int64, of total: Int64) -> Bool {
        guard row.isDeterminate, total > 0, completed <= total else { return false }
        if row.state == .succeeded { return completed == total }
        return abs(Double(completed) / Double(total) - row.fraction) < 0.01
    }

    /// What is below it by what is counted there, if anything is; hundredths of percents of
    /// different things have no sum.
    var shownSums: [UnitSum] {
        row.sums.filter {
            $0.unit != Self.percentUnit && ($0.completed > 0 || agrees($0.completed, of: $0.total))
        }
    }

    /// Whether the percentage says all there is to say: who reads the output of a program that
    /// prints no more than that reports hundredths.
    var isPercentage: Bool { row.unit == Self.percentUnit }

    private static let percentUnit = "percent"

    /// "3.1 files/s"; only while it runs and advances.
    var rate: String? { advance.flatMap { HumanNumbers.rate($0, unit: unit) } }

    /// Units a second; `nil` unless it runs and advances, and of percentages.
    private var advance: Double? {
        row.condition == .running && !isPercentage ? row.rate : nil
    }

    /// "about 4 min"; only while it runs and advances.
    package var timeLeft: String? { secondsLeft.map(HumanTime.about) }

    /// An end that was told is wrong when it has passed by so many seconds without a word.
    private static let overdue = 10.0

    /// Seconds until it is done, from now; `nil` where that is not known.
    package var secondsLeft: Double? {
        guard row.condition == .running, percent != nil else { return nil }
        let left = row.secondsLeft.map { $0 - row.age(at: now) } ?? -.infinity
        return left > -Self.overdue ? max(left, 0) : nil
    }
}

// MARK: - Amounts, and numbers apart from their units

extension TaskSentence {
    /// An amount, with its total where that may be told with it.
    private struct Tally {
        var completed: Int64
        var total: Int64?
        var unit: String
        var isEstimate = false

        /// "1,200 of 34,000 files".
        var text: String {
            guard let total else { return HumanNumbers.amount(completed, unit: unit) }
            return HumanNumbers.ratio(completed, of: total, unit: unit, isEstimate: isEstimate)
        }

        /// "1,200/34,000" or "1.2k/34k", and "files".
        var measures: [Measure] {
            let isBytes = unit == "bytes"
            guard let total else {
                let number = Measure(HumanNumbers.grouped(completed), unit)
                let long = isBytes ? HumanNumbers.size(Double(completed)) : number
                return [long, Measure(HumanNumbers.compact(completed, rounded: .down), long.unit)]
            }
            let slash = isEstimate ? "/~" : "/"
            let all = HumanNumbers.compact(total)
            // What is all done rounds as all there is.
            let done = completed == total ? all : HumanNumbers.compact(completed, rounded: .down)
            let short = Measure(done + slash + all, isBytes ? "" : unit)
            guard isBytes else {
                let number = HumanNumbers.grouped(completed) + slash + HumanNumbers.grouped(total)
                return [Measure(number, unit), short]
            }
            let (part, whole) = HumanNumbers.bytes(Double(completed), of: Double(total))
            return [Measure(part + slash + whole.number, whole.unit), short]
        }
    }

    /// Its own amount; where it has none, the first of those below it.
    private var tally: Tally? {
        if isPercentage { return nil }
        var own = Tally(
            completed: row.completed,
            unit: unit,
            isEstimate: row.options.totalIsEstimate
        )
        if let total = row.total, !isCountedByChildren, agrees(own.completed, of: total) {
            own.total = total
        }
        return own.completed > 0 || own.total != nil ? own : shownSums.first.map(tally(of:))
    }

    private func tally(of sum: UnitSum) -> Tally {
        let total = agrees(sum.completed, of: sum.total) ? sum.total : nil
        return Tally(completed: sum.completed, total: total, unit: PlainText.clean(sum.unit))
    }

    /// "1,200 of 34,000 files": its own amount, else the first of those below it.
    var amountText: String? { tally?.text }

    func text(of sum: UnitSum) -> String { tally(of: sum).text }

    /// How much is done, its number in at most so many columns; `nil` where only what is below it
    /// says that, or no form fits.
    package func amount(width: Int) -> Measure? {
        isCountedByChildren ? nil : tally?.measures.first { $0.fits(in: width) }
    }

    /// "3.1" and "/s": of what, is said beside it; `nil` unless it runs and advances.
    package func pace(width: Int, unitWidth: Int) -> Measure? {
        guard let advance else { return nil }
        return HumanNumbers.rates(advance, unit: unit == "bytes" ? unit : "").first {
            $0.fits(in: width) && $0.unit.utf8.count <= unitWidth
        }
    }

    /// "~4" and "min", or "~4m" where the unit has no room: how long it will still take; `nil` where
    /// that is not known.
    package func remaining(unitWidth: Int) -> Measure? {
        guard let secondsLeft else { return nil }
        let left = HumanTime.estimate(secondsLeft)
        let isRoom = left.unit.utf8.count <= unitWidth
        return isRoom ? left : Measure(left.number + left.unit.prefix(1))
    }

    /// "93" and "s": how long it has taken, of what has not ended in steps of five seconds.
    ///
    /// Each second of each row would be a tenth of all that a screen of short tasks costs.
    package var duration: Measure? {
        elapsed.map { seconds in
            let shown = row.state.isEnded ? seconds : (seconds / 5).rounded(.down) * 5
            return HumanTime.measured(shown)
        }
    }

    /// When it will end, or has ended, as a Unix time; `nil` where nobody knows.
    package var end: Double? {
        if row.state.isEnded {
            return row.endedAt?.unixTime
                ?? row.startedAt.flatMap { start in row.elapsed.map { start.unixTime + $0 } }
        }
        guard let start = row.startedAt, let elapsed, let secondsLeft else { return nil }
        return start.unixTime + elapsed + secondsLeft
    }
}
