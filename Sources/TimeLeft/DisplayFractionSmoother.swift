/// The fraction to draw: as even over time as what was reported allows.
///
/// It never exceeds what was reported, and stays below 1 until success. It falls only with what was
/// reported: when the whole turns out to be larger, or less to be done. Where
/// reports run ahead of the time that the task will take, it follows the time: then the end
/// does not take half of the time at 99 %. What comes in bursts is drawn at an even pace, little
/// behind the reports. Where they lag behind the time, they are drawn as they are.
struct DisplayFractionSmoother: Sendable {
    /// Active seconds before which reports are drawn as they are: nothing short needs more.
    private static let quiet = 10.0
    /// Drawn too far ahead, it waits at this share of its pace, instead of standing still.
    private static let waitingPace = 0.5
    /// An even pace draws this much less than is due, not more.
    private static let greatestLag = 0.05
    /// Work is caught up with at this many times the even pace more, divided by its irregularity:
    /// bursts are spread, but regular work that has become faster is followed at once.
    private static let haste: Float = 0.2
    static let most = 0.99

    private var drawn = 0.0
    private(set) var reported = 0.0
    private var time = 0.0
    /// When the task will be done, as expected at `time`; none while reports are drawn as they are.
    private var finish: Double?
    /// At most so many times the even pace is drawn.
    private var greatestPace: Float = 1
    private var growth = Growth()

    /// What to draw at this time; rises until the next report, if at all.
    func fraction(at now: Double) -> Double {
        let limit = min(reported, Self.most)
        guard let finish = finish, finish > time else { return limit }
        let due = min(limit, now / finish)
        let even = max(0, now - time) / (finish - time) * (1 - drawn)
        let spread = max(due - Self.greatestLag, drawn + Double(greatestPace) * even)
        return min(limit, max(min(due, spread), drawn + Self.waitingPace * even))
    }

    /// Another number is reported; when the task will be done is as it was expected.
    mutating func report(_ reported: Double) {
        guard reported != self.reported else { return }
        drawn = min(drawn, reported)
        self.reported = reported
    }

    /// Another number is reported, and the rest is expected to go like this.
    mutating func move(reported: Double, outlook: Outlook?, at now: Double) {
        drawn = min(max(drawn, fraction(at: now)), reported)
        self.reported = reported
        time = max(time, now)
        guard let outlook else { return finish = nil }
        let more = growth.secondsMore(outlook, drawn: drawn, at: time)
        finish = more > 0 || time > Self.quiet ? time + outlook.expected + more : nil
        greatestPace = 1 + Self.haste / max(0.01, outlook.irregularity)
    }

    /// The whole is so much more from now on, or less.
    mutating func grow(by more: Double, at now: Double) {
        growth.add(more, at: now)
    }
}
