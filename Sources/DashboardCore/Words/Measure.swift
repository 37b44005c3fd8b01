import CellScreen
import ProgressBus
import TaskTree

/// A number and what it counts, apart: "42/100" and "files", "2.4" and "MB/s", "~4" and "min".
///
/// In a column of them digits end where all digits end and units begin where all units begin.
package struct Measure: Equatable, Sendable {
    package var number: String
    package var unit = ""

    package init(_ number: String, _ unit: String = "") {
        self.number = number
        self.unit = unit
    }

    /// Whether its number takes at most so many columns.
    func fits(in width: Int) -> Bool { number.utf8.count <= width }

    /// "42/100 files", "2.4 MB/s", "3.1/s": in a sentence.
    package var text: String {
        let gap = unit.isEmpty || unit.hasPrefix("/") ? "" : " "
        return number + gap + unit
    }
}

extension TaskSentence {
    /// How much is done, its number in at most so many columns; `nil` where only what is below it
    /// says that, or no form fits.
    package func amount(width: Int) -> Measure? {
        guard !isPercentage, !isCountedByChildren else { return nil }
        if let total = row.total, agrees(row.completed, of: total) {
            return ratio(row.completed, of: total, unit: unit, width: width)
        }
        guard row.completed == 0 else { return amount(row.completed, unit: unit, width: width) }
        guard let sum = shownSums.first else { return nil }
        let unit = PlainText.clean(sum.unit)
        return agrees(sum.completed, of: sum.total)
            ? ratio(sum.completed, of: sum.total, unit: unit, width: width)
            : amount(sum.completed, unit: unit, width: width)
    }

    private func ratio(_ part: Int64, of total: Int64, unit: String, width: Int) -> Measure? {
        let mark = row.options.totalIsEstimate && row.total != nil ? "~" : ""
        let isBytes = unit == "bytes"
        let long: Measure
        if isBytes {
            let (done, all) = HumanNumbers.bytes(Double(part), of: Double(total))
            long = Measure(done + "/" + mark + all.number, all.unit)
        } else {
            let all = HumanNumbers.grouped(total)
            long = Measure(HumanNumbers.grouped(part) + "/" + mark + all, unit)
        }
        if long.fits(in: width) { return long }
        let all = HumanNumbers.compact(total)
        // What is all done rounds as all there is.
        let done = part == total ? all : HumanNumbers.compact(part, rounded: .down)
        let short = Measure(done + "/" + mark + all, isBytes ? "" : unit)
        return short.fits(in: width) ? short : nil
    }

    private func amount(_ number: Int64, unit: String, width: Int) -> Measure? {
        let long =
            unit == "bytes"
            ? HumanNumbers.size(Double(number))
            : Measure(HumanNumbers.grouped(number), unit)
        if long.fits(in: width) { return long }
        let short = Measure(HumanNumbers.compact(number, rounded: .down), long.unit)
        return short.fits(in: width) ? short : nil
    }

    /// "3.1" and "/s": of what, is said beside it; `nil` unless it runs and advances.
    package func pace(width: Int, unitWidth: Int) -> Measure? {
        guard row.condition == .running, !isPercentage, let rate = row.rate else { return nil }
        return HumanNumbers.rates(rate, unit: unit == "bytes" ? unit : "").first {
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
