/// Durations as people say them, one format per magnitude.
package enum HumanTime {
    /// "about 4 min", "~4 min", "~4m": an estimate without false precision in several lengths.
    package static func estimates(_ seconds: Double) -> [String] {
        guard seconds.isFinite, seconds < 1e9 else {
            return ["a very long time", "very long", "long"]
        }
        switch seconds {
        case ..<8:
            return ["a few seconds", "<10 s", "<10s"]
        case ..<57.5:
            return forms(max(Int((seconds / 5).rounded()) * 5, 10), "s")
        default:
            let (number, unit) = coarse(seconds)
            return forms(number, unit)
        }
    }

    /// "14 s", "4 min", "3 h", "2 days": a duration that was measured.
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e12 else { return "a very long time" }
        guard seconds >= 119.5 else { return "\(Int(max(seconds, 0).rounded())) s" }
        let (number, unit) = coarse(seconds)
        return "\(number) \(unit)"
    }

    private static func forms(_ number: Int, _ unit: String) -> [String] {
        ["about \(number) \(unit)", "~\(number) \(unit)", "~\(number)\(unit.prefix(1))"]
    }

    private static func coarse(_ seconds: Double) -> (Int, String) {
        let minutes = seconds / 60
        if minutes < 119.5 { return (max(Int(minutes.rounded()), 1), "min") }
        let hours = seconds / 3_600
        if hours < 47.5 { return (Int(hours.rounded()), "h") }
        return (Int((hours / 24).rounded()), "days")
    }
}

/// The time on a clock on the wall.
package enum TimeOfDay {
    /// "03:14:07"; the closure says how far local time is ahead of UTC then.
    package static func text(unixTime: Double, secondsFromUTC: (Double) -> Int) -> String {
        guard unixTime.isFinite, unixTime.magnitude < 1e12 else { return "--:--:--" }
        let local = Int(unixTime.rounded(.down)) + secondsFromUTC(unixTime)
        let second = ((local % 86_400) + 86_400) % 86_400
        return [second / 3_600, second / 60 % 60, second % 60]
            .map { ($0 < 10 ? "0" : "") + String($0) }
            .joined(separator: ":")
    }

    /// "03:14", without seconds, because an estimated end is not known to the second.
    static func minute(unixTime: Double, secondsFromUTC: (Double) -> Int) -> String {
        String(text(unixTime: unixTime, secondsFromUTC: secondsFromUTC).prefix(5))
    }
}
