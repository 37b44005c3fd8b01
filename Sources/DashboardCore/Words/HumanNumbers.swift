import TaskTree

/// Numbers as people read them.
package enum HumanNumbers {
    /// "12,400": digits in groups of three.
    package static func grouped(_ number: some BinaryInteger) -> String {
        var digits = Array(String(number.magnitude).utf8)
        for end in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(UInt8(ascii: ","), at: end)
        }
        return (number < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }

    /// "1,234 done": how many tasks are in a condition.
    static func counted(_ number: Int, _ condition: TaskCondition) -> String {
        "\(grouped(number)) \(condition.word)"
    }

    /// "3 done", "2 running": the counts of all conditions that some tasks are in.
    static func counted(_ counts: [(Int, TaskCondition)]) -> [String] {
        counts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
    }

    /// "3 files", "1.2 GB": a number with what it counts.
    package static func amount(_ number: Int64, unit: String) -> String {
        if unit == "bytes" { return bytes(Double(number)) }
        return unit.isEmpty ? grouped(number) : "\(grouped(number)) \(unit)"
    }

    /// "640 bytes", "1.2 GB": two digits at least, in steps of a thousand.
    package static func bytes(
        _ number: Double,
        rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> String {
        size(number, rounded: rule).text
    }

    /// The same for a column.
    static func size(
        _ number: Double,
        rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Measure {
        let (value, prefix) = scaled(number, rounded: rule)
        return Measure(value, prefix.isEmpty ? "bytes" : prefix + "B")
    }

    /// "0.31" and "1.2 GB": a part in the unit of the whole, as finely as a percentage says it.
    static func bytes(_ part: Double, of whole: Double) -> (part: String, whole: Measure) {
        let (value, prefix) = scaled(whole)
        let shown = Double(value) ?? whole
        let steps: Int64 = prefix.isEmpty || shown >= 100 ? 1 : shown >= 10 ? 10 : 100
        let share = min(max(part / max(whole, 1), 0), 1)
        let done = Int64((share * shown * Double(steps) + 1e-9).rounded(.down))
        let rest = steps == 1 ? "" : "." + String(steps + done % steps).dropFirst()
        return ("\(done / steps)" + rest, size(whole))
    }

    /// 42 for 0.42: rounded down, so that it is never more than is done.
    static func wholePercent(_ fraction: Double) -> Int {
        guard fraction.isFinite else { return 0 }
        // The addition keeps a fraction that binary numbers cannot hold, such as 0.29, from losing
        // a percent.
        return Int((min(max(fraction, 0), 1) * 100 + 1e-9).rounded(.down))
    }

    /// "999", "1.2k", "34k", "1.2M": three digits at most.
    ///
    /// Callers round an amount that is done down, so that it does not look like the total.
    package static func compact(
        _ number: Int64,
        rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> String {
        let (value, prefix) = scaled(Double(number), rounded: rule)
        return value + prefix
    }

    /// A number scaled below a thousand, and the prefix of its unit.
    static func scaled(
        _ number: Double,
        rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> (value: String, prefix: String) {
        // Where numbers are rounded up, half a step early, so that nothing becomes "1000 kB".
        let limit = rule == .down ? 1_000 : 999.5
        var value = number.isFinite ? number : 0
        guard value.magnitude >= limit else { return ("\(Int(value.rounded(rule)))", "") }
        let prefixes = ["k", "M", "G", "T", "P", "E"]
        var step = 0
        value /= 1_000
        while value.magnitude >= limit, step < prefixes.count - 1 {
            value /= 1_000
            step += 1
        }
        return (twoDigits(value, rounded: rule), prefixes[step])
    }

    /// One decimal below ten, none above.
    static func twoDigits(
        _ value: Double,
        rounded rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> String {
        guard value.magnitude < (rule == .down ? 10 : 9.95) else {
            return grouped(Int64(max(min(value.rounded(rule), 9e18), -9e18)))
        }
        let tenths = Int((value * 10).rounded(rule))
        let sign = tenths < 0 ? "-" : ""
        let (whole, tenth) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return sign + (tenth == 0 ? "\(whole)" : "\(whole).\(tenth)")
    }

    /// "1,200 of 34,000 files", "1,200 of about 34,000 files" where the total is an estimate.
    static func ratio(
        _ completed: Int64,
        of total: Int64,
        unit: String,
        isEstimate: Bool = false
    ) -> String {
        // An amount that is all done is rounded like its total.
        let rule: FloatingPointRoundingRule =
            completed == total ? .toNearestOrAwayFromZero : .down
        let part =
            unit == "bytes" ? bytes(Double(completed), rounded: rule) : grouped(completed)
        return "\(part) of \(isEstimate ? "about " : "")\(amount(total, unit: unit))"
    }

    /// "3.1 files/s", "12 MB/s"; per minute or hour where less than one comes in ten seconds.
    ///
    /// `nil` for a rate that says nothing: none, or less than one an hour, unless it is of bytes.
    package static func rate(_ perSecond: Double, unit: String) -> String? {
        rates(perSecond, unit: unit).first?.text
    }

    /// "3,100 files/s", "3,100/s", "3.1k/s": the same in several lengths; empty where `rate` is
    /// `nil`.
    package static func rates(_ perSecond: Double, unit: String) -> [Measure] {
        guard perSecond.isFinite, perSecond > 0 else { return [] }
        if unit == "bytes" {
            let size = size(perSecond)
            let (short, prefix) = scaled(perSecond)
            return [Measure(size.number, size.unit + "/s"), Measure(short + prefix, "/s")]
        }
        for (factor, period) in [(1.0, "s"), (60, "min"), (3_600, "h")] {
            let value = perSecond * factor
            guard value >= (factor == 1 ? 0.1 : 1) else { continue }
            let number = twoDigits(value)
            var forms = unit.isEmpty ? [] : [Measure(number, unit + "/" + period)]
            forms.append(Measure(number, "/" + period))
            if factor == 1, value >= 999.5 {
                let (short, prefix) = scaled(perSecond)
                forms.append(Measure(short + prefix, "/s"))
            }
            return forms
        }
        return []
    }
}

/// A number and what it counts, apart: "42/100" and "files", "2.4" and "MB/s", "~4" and "min".
///
/// A column of measures aligns the ends of their numbers and the beginnings of their units.
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
