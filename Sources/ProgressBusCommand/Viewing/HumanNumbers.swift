/// Numbers as people read them.
enum HumanNumbers {
    /// "12,400": digits in groups of three.
    static func grouped(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// "3 files", "1.2 GB": a number with what it counts.
    static func amount(_ number: Int64, unit: String) -> String {
        if unit == "bytes" { return bytes(Double(number)) }
        return unit.isEmpty ? grouped(number) : "\(grouped(number)) \(unit)"
    }

    /// "42 of 100 files", "310 MB of 1.2 GB".
    static func ratio(_ completed: Int64, of total: Int64, unit: String) -> String {
        let part = unit == "bytes" ? bytes(Double(completed)) : grouped(completed)
        return "\(part) of \(amount(total, unit: unit))"
    }

    /// "3.1 files/s", "12 MB/s"; per minute or hour where less than one comes in ten seconds.
    ///
    /// `nil` for a rate that says nothing: none, or less than one an hour.
    static func rate(_ perSecond: Double, unit: String) -> String? {
        guard perSecond.isFinite, perSecond > 0 else { return nil }
        if unit == "bytes" { return bytes(perSecond) + "/s" }
        let label = unit.isEmpty ? "" : " " + unit
        for (factor, period) in [(1.0, "s"), (60, "min"), (3_600, "h")] {
            let value = perSecond * factor
            if value >= (factor == 1 ? 0.1 : 1) { return twoDigits(value) + label + "/" + period }
        }
        return nil
    }

    /// "640 bytes", "1.2 GB": two digits at least, in steps of a thousand.
    static func bytes(_ number: Double) -> String {
        let steps = ["kB", "MB", "GB", "TB", "PB", "EB"]
        // Half a step early, so that nothing becomes "1000 kB".
        guard number.magnitude >= 999.5 else { return "\(Int(number.rounded())) bytes" }
        var value = number / 1_000
        var step = 0
        while value.magnitude >= 999.5, step < steps.count - 1 {
            value /= 1_000
            step += 1
        }
        return twoDigits(value) + " " + steps[step]
    }

    /// "42%": never more than is done, never 100% before success.
    static func percent(_ displayFraction: Double) -> String {
        guard displayFraction.isFinite else { return "0%" }
        // A hundredth that binary numbers cannot hold is not to lose one by rounding down.
        return "\(Int((min(max(displayFraction, 0), 1) * 100 + 1e-9).rounded(.down)))%"
    }

    /// One decimal below ten, none above.
    private static func twoDigits(_ value: Double) -> String {
        guard value.magnitude < 9.95 else {
            return grouped(Int64(min(value.rounded(), 9e18)))
        }
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
