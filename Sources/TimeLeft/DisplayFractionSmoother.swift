/// The fraction to draw: as even over time as the reports allow.
///
/// It never exceeds the reported fraction, and stays below 1 until success. It falls only if the
/// reported fraction falls, as when the total grows. Where the reports run ahead of the time that
/// the task will take, it follows the time: otherwise the bar could stand at 99 % for half of the
/// time. Bursts are drawn at an even pace, a little behind the reports. Reports that lag behind the
/// time are drawn as they are.
struct DisplayFractionSmoother: Sendable {
    /// Up to this many active seconds reports are drawn as they are, which is enough for short
    /// tasks.
    private static let quiet = 10.0
    /// A fraction that is drawn too far ahead goes on at this share of the even pace, not at none.
    private static let waitingPace = 0.5
    /// The most that an even pace may lag behind what is due.
    private static let greatestLag = 0.05
    /// What is due is drawn at 1 + this / irregularity times the even pace, at most.
    ///
    /// Bursts are spread so, but regular work that has become faster is followed at once.
    private static let haste: Float = 0.2
    static let most = 0.99

    private var drawn = 0.0
    private(set) var reported = 0.0
    private var time = 0.0
    /// When the task will be done, as expected at `time`; `nil` while reports are drawn as they
    /// are.
    private var finish: Double?
    /// The greatest pace to draw at, in multiples of the even pace.
    private var greatestPace: Float = 1
    private var growth = Growth()

    /// The fraction to draw at this time; it never falls between reports.
    func fraction(at now: Double) -> Double {
        let limit = min(reported, Self.most)
        guard let finish = finish, finish > time else { return limit }
        let due = min(limit, now / finish)
        let even = max(0, now - time) / (finish - time) * (1 - drawn)
        let spread = max(due - Self.greatestLag, drawn + Double(greatestPace) * even)
        return min(limit, max(min(due, spread), drawn + Self.waitingPace * even))
    }

    /// Takes another reported fraction, without another outlook on the rest.
    mutating func report(_ reported: Double) {
        guard reported != self.reported else { return }
        drawn = min(drawn, reported)
        self.reported = reported
    }

    /// Takes another reported fraction and the outlook on the rest.
    mutating func move(reported: Double, outlook: Outlook?, at now: Double) {
        drawn = min(max(drawn, fraction(at: now)), reported)
        self.reported = reported
        time = max(time, now)
        guard let outlook else { return finish = nil }
        let more = growth.secondsMore(outlook, drawn: drawn, at: time)
        finish = more > 0 || time > Self.quiet ? time + outlook.expected + more : nil
        greatestPace = 1 + Self.haste / max(0.01, outlook.irregularity)
    }

    /// Notes that the whole work has grown by `more`; negative if it has shrunk.
    mutating func grow(by more: Double, at now: Double) {
        growth.add(more, at: now)
    }
}
