/// Durations as people say them, one format per magnitude.
enum HumanTime {
    /// "about 4 min": an estimate without false precision.
    static func about(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "a very long time" }
        switch seconds {
        case ..<8: return "a few seconds"
        case ..<57.5: return "about \(max(Int((seconds / 5).rounded()) * 5, 10)) s"
        default: return "about " + coarse(seconds)
        }
    }

    /// "14 s", "4 min", "3 h", "2 days": a duration that was measured.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e12 else { return "a very long time" }
        guard seconds >= 119.5 else { return "\(Int(max(seconds, 0).rounded())) s" }
        return coarse(seconds)
    }

    private static func coarse(_ seconds: Double) -> String {
        let minutes = seconds / 60
        if minutes < 119.5 { return "\(max(Int(minutes.rounded()), 1)) min" }
        let hours = seconds / 3_600
        if hours < 47.5 { return "\(Int(hours.rounded())) h" }
        return "\(Int((hours / 24).rounded())) days"
    }
}
