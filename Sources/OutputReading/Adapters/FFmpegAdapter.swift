/// `ffmpeg`: `time=00:00:12.34` of `Duration: 00:01:02.03`, and `-progress`.
///
/// The total is the longest input, or what `-t` says. If it is known, the sample is a percentage
/// with both times as detail; otherwise seconds are counted. Without its name ffmpeg is recognized
/// by its line of statistics.
struct FFmpegAdapter: OutputAdapter {
    static let name = "ffmpeg"

    static func recognizes(_ line: OutputLine) -> Bool {
        let scanner = LineScanner(line)
        return (scanner.has("frame=", at: 0) || scanner.has("size=", at: 0))
            && scanner.find(" time=") != nil && scanner.find(" bitrate=") != nil
            || scanner.has("  Duration: ", at: 0) && scanner.find(", start: ") != nil
    }

    /// In thousandths of a second.
    private var total: Int64?
    private let isLimited: Bool
    private var newest: Int64 = 0

    /// `progress=end` has no digit.
    var readsWords: Bool { true }

    init(for command: CommandWords) {
        let words = command.arguments
        let limit = words.lastIndex(of: "-t").flatMap { place in
            place + 1 < words.count ? Self.time(words[place + 1]) : nil
        }
        total = limit
        isLimited = limit != nil
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        var scanner = LineScanner(line)
        if scanner.has("progress=end", at: 0) { return end() }
        if scanner.take("out_time_us=") {
            return scanner.number().map { progress($0 / 1_000) } ?? []
        }
        if scanner.take("  Duration: ") {
            if let duration = scanner.time(), !isLimited, duration > 0 {
                total = max(total ?? 0, duration)
            }
            return []
        }
        if scanner.has("video:", at: 0), scanner.find("muxing overhead") != nil { return end() }
        guard scanner.has("frame=", at: 0) || scanner.has("size=", at: 0),
            scanner.skip(past: " time="), let time = scanner.time()
        else { return [] }
        return progress(time)
    }

    private mutating func progress(_ time: Int64) -> [ProgressSample] {
        newest = time
        guard let total else { return [.amount(time / 1_000, unit: "s")] }
        let done = min(time, total)
        let percent = Int64(total.dividingFullWidth(done.multipliedFullWidth(by: 10_000)).quotient)
        return [.percent(percent).with(detail: "\(Self.clock(done)) of \(Self.clock(total))")]
    }

    /// The end of the work, unless ffmpeg was interrupted; the last frame begins a little before
    /// it.
    private func end() -> [ProgressSample] {
        guard let total, newest > total - 1_000 - total / 50 else { return [] }
        return [.percent(10_000).with(detail: "\(Self.clock(total)) of \(Self.clock(total))")]
    }

    private static func time(_ word: String) -> Int64? {
        var scanner = LineScanner(OutputLine(word))
        if let time = scanner.time(), scanner.isAtEnd { return time }
        // `-t 90` is more than fits into a minute.
        scanner.move(to: 0)
        guard let seconds = scanner.decimal(inPowerOfTen: 3), scanner.isAtEnd, seconds > 0 else {
            return nil
        }
        return seconds
    }

    /// `0:01:02`.
    private static func clock(_ time: Int64) -> String {
        let seconds = time / 1_000
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
