/// The fraction to draw: as even over time as what was reported allows.
///
/// It never exceeds what was reported, never runs backwards, and stays below 1 until success. Where
/// reports run ahead of the time that the task will take, it follows the time: then the end
/// does not take half of the time at 99 %. Where they lag behind, they are drawn as they are.
struct EvenPace: Sendable {
    /// Active seconds before which reports are drawn as they are: nothing short needs more.
    private static let quiet = 10.0
    /// Drawn too far ahead, it waits at this share of its pace, instead of standing still.
    private static let waitingPace = 0.5
    static let most = 0.99

    private var drawn = 0.0
    private(set) var reported = 0.0
    private var time = 0.0
    /// When the task was to be done, as told at `time`.
    private var finish = OptionalNumber()

    /// What to draw at this time; rises until the next report, if at all.
    func fraction(at now: Double) -> Double {
        let limit = max(drawn, min(reported, Self.most))
        guard let finish = finish.value, now > Self.quiet, finish > time else { return limit }
        let share = min(1, now / finish)
        let waited = Self.waitingPace * max(0, now - time) / (finish - time) * (1 - drawn)
        return min(limit, max(share, drawn + waited))
    }

    /// Another number is reported; when the task will be done is as it was told.
    mutating func report(_ reported: Double, at now: Double) {
        guard reported != self.reported else { return }
        if reported < self.reported { drawn = max(drawn, fraction(at: now)) }
        self.reported = reported
    }

    mutating func move(reported: Double, secondsLeft: Double?, at now: Double) {
        drawn = max(drawn, fraction(at: now))
        self.reported = reported
        time = max(time, now)
        finish.value = secondsLeft.map { time + $0 }
        drawn = max(drawn, fraction(at: now))
    }
}
