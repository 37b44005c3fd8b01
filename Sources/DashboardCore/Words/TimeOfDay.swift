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

    /// "03:14", as nobody knows an end to the second.
    static func minute(unixTime: Double, secondsFromUTC: (Double) -> Int) -> String {
        String(text(unixTime: unixTime, secondsFromUTC: secondsFromUTC).prefix(5))
    }
}
