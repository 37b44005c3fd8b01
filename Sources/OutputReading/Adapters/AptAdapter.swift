/// `apt`, `apt-get`: the download as a part, then the packages.
///
/// With the bar at the bottom (`Progress: [ 37%]`, apt's own default) its percentage is the
/// command's; without it unpacking and setting up are counted, two steps for each package that apt
/// has announced. `(Reading database ... 5%` and `Reading package lists... 93%` are ignored, as
/// they take no time. Without its name apt is recognized by its bar, by what it fetches and by the
/// lists that it reads first.
struct AptAdapter: OutputAdapter {
    static let name = "apt"
    static let programs = ["apt", "apt-get", "aptitude"]

    static func recognizes(_ line: OutputLine) -> Bool {
        let scanner = LineScanner(line)
        // Recognized here, so that its percentage is not taken for progress.
        if scanner.has("Reading package lists... ", at: 0) { return true }
        if scanner.has("Progress: [", at: 0) { return bar(in: line) != nil }
        return scanner.has("Get:", at: 0) && scanner.find(" http") != nil
            && line.bytes.last == UInt8(ascii: "]") || announced(in: line) != nil
    }

    private static let download = "Download"

    private var total: Int64?
    private var steps: Int64 = 0
    private var hasBar = false
    private var isDownloading = false

    /// `Setting up name` may have no digit.
    var readsWords: Bool { true }

    init(for command: CommandWords) {}

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        if let percent = Self.bar(in: line) {
            hasBar = true
            return [.percent(percent)]
        }
        guard line.ending != .open else { return [] }
        if let packages = Self.announced(in: line) {
            total = packages > 0 ? packages.multipliedReportingOverflow(by: 2).partialValue : nil
            return []
        }
        return fetching(line) ?? installing(line)
    }

    private mutating func fetching(_ line: OutputLine) -> [ProgressSample]? {
        var scanner = LineScanner(line)
        if scanner.take("Get:") {
            isDownloading = true
            return [ProgressSample(part: Self.download).with(detail: scanner.rest)]
        }
        if scanner.has("Fetched ", at: 0) {
            guard isDownloading else { return [] }
            return [.percent(ProgressSample.wholePercent, of: Self.download).done()]
        }
        // `37% [3 libfoo 123 kB/456 kB 27%]`, drawn over.
        if let percent = scanner.percentage() {
            guard scanner.take(" ["), isDownloading else { return [] }
            return [.percent(percent, of: Self.download)]
        }
        return nil
    }

    private mutating func installing(_ line: OutputLine) -> [ProgressSample] {
        let scanner = LineScanner(line)
        let isStep = scanner.has("Unpacking ", at: 0) || scanner.has("Setting up ", at: 0)
        guard
            isStep || scanner.has("Processing triggers for ", at: 0)
                || scanner.has("Removing ", at: 0)
        else { return [] }
        var words = scanner.rest
        while words.hasSuffix(".") || words.hasSuffix(" ") { words.removeLast() }
        let detail = ProgressSample().with(detail: words)
        guard isStep, !hasBar, let total, steps < total else { return [detail] }
        steps += 1
        return [.amount(steps, of: total, unit: "steps").with(detail: words)]
    }

    /// `Progress: [ 37%]`.
    private static func bar(in line: OutputLine) -> Int64? {
        var scanner = LineScanner(line)
        guard scanner.take("Progress: [") else { return nil }
        scanner.spaces()
        guard let percent = scanner.percentage(), scanner.take("]") else {
            return nil
        }
        return percent
    }

    /// How many packages: `2 upgraded, 1 newly installed, 1 reinstalled, 0 to remove …`.
    private static func announced(in line: OutputLine) -> Int64? {
        var scanner = LineScanner(line)
        guard let upgraded = scanner.number(), scanner.take(" upgraded, "),
            let new = scanner.number(), scanner.take(" newly installed, ")
        else { return nil }
        let (sum, tooMuch) = upgraded.addingReportingOverflow(new)
        guard !tooMuch, sum < 1_000_000 else { return nil }
        if let again = scanner.number(), scanner.take(" reinstalled"), again < 1_000_000 {
            return sum + again
        }
        return sum
    }
}
