/// Durations as people say them, one format per magnitude.
package enum HumanTime {
    /// "about 4 min": an estimate without false precision.
    static func about(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < tooLong else { return "a very long time" }
        guard seconds >= fewSeconds else { return "a few seconds" }
        let (number, unit) = rounded(seconds)
        return "about \(number) \(unit)"
    }

    /// "~4" and "min": the same for a column.
    static func estimate(_ seconds: Double) -> Measure {
        guard seconds.isFinite, seconds < tooLong else { return Measure("long") }
        guard seconds >= fewSeconds else { return Measure("<10", "s") }
        let (number, unit) = rounded(seconds)
        return Measure("~\(number)", unit)
    }

    /// "14 s", "4 min", "3 h", "2 days": a duration that was measured.
    package static func duration(_ seconds: Double) -> String { measured(seconds).text }

    /// The same for a column.
    static func measured(_ seconds: Double) -> Measure {
        guard seconds.isFinite, seconds < 1e12 else { return Measure("a very long time") }
        guard seconds >= 119.5 else { return Measure(String(Int(max(seconds, 0).rounded())), "s") }
        let (number, unit) = coarse(seconds)
        return Measure(String(number), unit)
    }

    private static let tooLong = 1e9
    /// Below this many seconds an estimate is only "a few seconds".
    private static let fewSeconds = 8.0

    private static func rounded(_ seconds: Double) -> (Int, String) {
        guard seconds < 57.5 else { return coarse(seconds) }
        return (max(Int((seconds / 5).rounded()) * 5, 10), "s")
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
        guard let second = second(unixTime, secondsFromUTC) else { return "--:--:--" }
        return minute(second) + ":" + twoDigits(second % 60)
    }

    /// "03:14", without seconds, because an estimated end is not known to the second.
    static func minute(unixTime: Double, secondsFromUTC: (Double) -> Int) -> String {
        second(unixTime, secondsFromUTC).map(minute) ?? "--:--"
    }

    /// The second of the local day; `nil` for a time out of range.
    private static func second(_ unixTime: Double, _ secondsFromUTC: (Double) -> Int) -> Int? {
        guard unixTime.isFinite, unixTime.magnitude < 1e12 else { return nil }
        let local = Int(unixTime.rounded(.down)) + secondsFromUTC(unixTime)
        return ((local % 86_400) + 86_400) % 86_400
    }

    private static func minute(_ second: Int) -> String {
        twoDigits(second / 3_600) + ":" + twoDigits(second / 60 % 60)
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
