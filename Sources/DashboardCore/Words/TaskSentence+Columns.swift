import CellScreen
import ProgressBus
import TaskTree

/// The texts about a task for the columns of a view; empty if there is nothing to say, or if no
/// form of it fits.
extension TaskSentence {
    /// "42%"; `nil` if it is not known, or if it is 100% and the task has not succeeded.
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

    /// "3 done", "2 running": its descendants by state, without the states that none is in.
    var descendants: [String] {
        let counts = row.counts
        return HumanNumbers.counted([
            (counts.succeeded, .succeeded), (counts.running, .running), (counts.waiting, .waiting),
            (counts.failed, .failed), (counts.cancelled, .cancelled), (counts.lost, .lost),
        ]) + halted
    }

    /// "1 needs attention": how many descendants need it without a count of their own, such as
    /// stalled ones.
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
    /// Without a percentage, the sums of the descendants may be only a part of what is to come.
    func agrees(_ completed: Int64, of total: Int64) -> Bool {
        guard row.isDeterminate, total > 0, completed <= total else { return false }
        if row.state == .succeeded { return completed == total }
        return abs(Double(completed) / Double(total) - row.fraction) < 0.01
    }

    /// The sums of its descendants' amounts by unit; percentages of different things have no sum.
    var shownSums: [UnitSum] {
        row.sums.filter {
            $0.unit != Self.percentUnit && ($0.completed > 0 || agrees($0.completed, of: $0.total))
        }
    }

    /// Whether its amount is only a percentage, read from the output of a program that prints no
    /// more.
    var isPercentage: Bool { row.unit == Self.percentUnit }

    private static let percentUnit = "percent"

    /// "3.1 files/s"; only while it runs and advances.
    var rate: String? { advance.flatMap { HumanNumbers.rate($0, unit: unit) } }

    /// Units a second; `nil` for percentages, and unless the task runs and advances.
    private var advance: Double? {
        row.condition == .running && !isPercentage ? row.rate : nil
    }

    /// "about 4 min"; only while it runs and advances.
    package var timeLeft: String? { secondsLeft.map(HumanTime.about) }

    /// Seconds until it is done, from now; `nil` where that is not known.
    package var secondsLeft: Double? {
        guard row.condition == .running, percent != nil else { return nil }
        return row.secondsLeft(after: row.age(at: now))
    }
}

// MARK: - Amounts, and numbers apart from their units

extension TaskSentence {
    /// An amount, with its total if the two agree with the percentage.
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
            // An amount that is all done is rounded like its total.
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

    /// The task's own amount, or else the first sum of its descendants.
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

    /// "1,200 of 34,000 files": its own amount, or else the first sum of its descendants.
    var amountText: String? { tally?.text }

    func text(of sum: UnitSum) -> String { tally(of: sum).text }

    /// The amount that is done, its number in at most `width` columns; `nil` if only its
    /// descendants tell it, or if no form fits.
    package func amount(width: Int) -> Measure? {
        isCountedByChildren ? nil : tally?.measures.first { $0.fits(in: width) }
    }

    /// "3.1" and "/s", as the unit stands beside it; `nil` unless the task runs and advances.
    package func pace(width: Int, unitWidth: Int) -> Measure? {
        guard let advance else { return nil }
        return HumanNumbers.rates(advance, unit: unit == "bytes" ? unit : "").first {
            $0.fits(in: width) && $0.unit.utf8.count <= unitWidth
        }
    }

    /// "~4" and "min", or "~4m" if the unit has no room: the time left; `nil` if it is not known.
    package func remaining(unitWidth: Int) -> Measure? {
        guard let secondsLeft else { return nil }
        let left = HumanTime.estimate(secondsLeft)
        let isRoom = left.unit.utf8.count <= unitWidth
        return isRoom ? left : Measure(left.number + left.unit.prefix(1))
    }

    /// "93" and "s": how long the task has taken, in steps of five seconds until it has ended.
    ///
    /// Showing each second in each row would be a tenth of the cost of a screen of short tasks.
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
