/// Programs that draw with Python's rich: `Downloading ━━━━╺━━━━━━━  37% 0:00:10`.
///
/// Every bar is a part under the title before it; one without a title is the command's. A program
/// is recognized by the bar itself with a percentage, a count or amounts behind it.
struct RichAdapter: LineAdapter {
    static let name = "rich"
    static let programs: [String] = []

    static func recognizes(_ line: OutputLine) -> Bool { sample(in: line) != nil }

    static func sample(in line: OutputLine) -> ProgressSample? {
        guard var bar = ThinBar(in: line) else { return nil }
        let part = bar.title.isEmpty ? nil : bar.title
        if let percent = bar.scanner.percentage() {
            return .percent(percent, of: part).done(percent == ProgressSample.wholePercent)
        }
        if let amounts = bar.amounts() {
            return .amount(amounts.completed, of: amounts.total, unit: "bytes", part: part)
                .done(amounts.completed == amounts.total)
        }
        guard let count = CountAdapter.count(&bar.scanner) else { return nil }
        return .amount(count.completed, of: count.total, part: part)
            .done(count.completed == count.total)
    }
}
