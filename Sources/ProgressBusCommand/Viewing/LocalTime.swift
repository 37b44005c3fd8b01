import ProcessControl

/// The time zone of this machine.
enum LocalTime {
    /// The seconds by which local time is ahead of UTC at a time, by the rules in force now.
    ///
    /// The rules may change while a dashboard is open for days; looking whether they did is one
    /// call of stat(2).
    static func secondsFromUTC(at unixTime: Double) -> Int {
        guard let whole = Int(exactly: unixTime.rounded(.down)) else { return 0 }
        var seconds = time_t(whole)
        var parts = tm()
        // Without this call, localtime_r reads the rules only once.
        tzset()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        return parts.tm_gmtoff
    }
}
