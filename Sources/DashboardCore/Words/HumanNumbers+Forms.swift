/// The same in several lengths, the longest first, for columns that choose one.
extension HumanNumbers {
    /// "1,200 of 34,000 files", "1,200/34,000 files", "1,200/34,000", "1.2k/34k".
    ///
    /// An estimated total is marked in all of them: "1,200 of about 34,000 files", "1.2k/~34k".
    package static func ratios(
        _ completed: Int64,
        of total: Int64,
        unit: String,
        isEstimate: Bool = false
    ) -> [String] {
        let about = isEstimate ? "about " : ""
        let mark = isEstimate ? "~" : ""
        let whole = amount(total, unit: unit)
        let part = unit == "bytes" ? bytes(Double(completed)) : grouped(completed)
        var forms = ["\(part) of \(about)\(whole)", "\(part)/\(mark)\(whole)"]
        if unit != "bytes" { forms.append("\(part)/\(mark)\(grouped(total))") }
        forms.append("\(compact(completed, rounded: .down))/\(mark)\(compact(total))")
        return forms
    }

    /// "1,200 files", "1,200", "1.2k".
    package static func amounts(_ number: Int64, unit: String) -> [String] {
        var forms = [amount(number, unit: unit)]
        if unit != "bytes" { forms.append(grouped(number)) }
        return forms + [compact(number, rounded: .down)]
    }

    /// "3.1 files/s", "12 MB/s"; per minute or hour where less than one comes in ten seconds.
    ///
    /// `nil` for a rate that says nothing: none, or less than one an hour.
    package static func rate(_ perSecond: Double, unit: String) -> String? {
        rates(perSecond, unit: unit).first
    }

    /// "3,100 files/s", "3,100/s", "3.1k/s"; none where the rate says nothing.
    package static func rates(_ perSecond: Double, unit: String) -> [String] {
        guard perSecond.isFinite, perSecond > 0 else { return [] }
        let (short, prefix) = scaled(perSecond)
        if unit == "bytes" { return [bytes(perSecond) + "/s", "\(short)\(prefix)/s"] }
        for (factor, period) in [(1.0, "s"), (60, "min"), (3_600, "h")] {
            let value = perSecond * factor
            guard value >= (factor == 1 ? 0.1 : 1) else { continue }
            let number = twoDigits(value)
            var forms = unit.isEmpty ? [] : ["\(number) \(unit)/\(period)"]
            forms.append("\(number)/\(period)")
            if factor == 1, value >= 999.5 { forms.append("\(short)\(prefix)/s") }
            return forms
        }
        return []
    }
}
