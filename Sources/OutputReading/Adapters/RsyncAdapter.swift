/// `rsync --info=progress2` and `--progress` (`-P`).
///
/// progress2 prints the percentage of everything, which is the command's own. `--progress` prints
/// that of each file; then the command counts files (`to-chk=2/9`: two of nine are left), and a
/// file that takes long enough to be seen on the way is a part. While rsync still looks for files
/// (`ir-chk`), the total is an estimate. Without its name rsync is recognized by the whole line,
/// with the rate and the time behind the percentage.
struct RsyncAdapter: OutputAdapter {
    static let name = "rsync"

    static func recognizes(_ line: OutputLine) -> Bool { Progress(in: line)?.hasRate == true }

    /// The last line before an amount, which with `--progress` is the name of a file.
    private var file: String?
    private var shown: String?
    private var isOfEverything: Bool?

    /// Names of files need no digits.
    var readsWords: Bool { true }

    init(for command: CommandWords) {
        if command.arguments.contains(where: { $0.hasPrefix("--info=") && $0.contains("progress2") }
        ) {
            isOfEverything = true
        } else if command.arguments.contains(where: {
            $0 == "--progress" || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("P")
        }) {
            isOfEverything = false
        }
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        guard let progress = Progress(in: line) else {
            if line.ending == .newline, line.bytes.first != Byte.space {
                file = LineScanner(line).rest
            }
            return []
        }
        // Whether percentages are of files shows when the first file is done: it is at 100 % then.
        if isOfEverything == nil, let left = progress.left {
            isOfEverything = left == 0 || progress.percent < ProgressSample.wholePercent
        }
        guard let isOfEverything else { return [] }
        if isOfEverything {
            var sample = ProgressSample.percent(progress.percent)
            sample.totalIsEstimate = progress.isLooking
            if let left = progress.left, let all = progress.all {
                sample = sample.with(detail: "\(all - left) of \(all) files")
            }
            return [sample]
        }
        return ofOneFile(progress)
    }

    private mutating func ofOneFile(_ progress: Progress) -> [ProgressSample] {
        var samples: [ProgressSample] = []
        guard let left = progress.left, let all = progress.all else {
            guard let file else { return [] }
            shown = file
            return [.percent(progress.percent, of: file), ProgressSample().with(detail: file)]
        }
        if let shown, shown == file {
            samples.append(.percent(progress.percent, of: shown).done())
        }
        shown = nil
        var command = ProgressSample.amount(all - left, of: all, unit: "files").with(detail: file)
        command.totalIsEstimate = progress.isLooking
        return samples + [command]
    }

    /// `  1,362,144  50%  600.19kB/s    0:00:02 (xfr#4, to-chk=3/9)`.
    private struct Progress {
        var percent: Int64
        var hasRate = false
        var left: Int64?
        var all: Int64?
        var isLooking = false

        init?(in line: OutputLine) {
            guard let first = line.bytes.first, first == Byte.space || Byte.isDigit(first) else {
                return nil
            }
            var scanner = LineScanner(line)
            scanner.spaces()
            guard scanner.number(grouped: true) != nil || scanner.amount() != nil,
                scanner.spaces(), let percent = scanner.percentage(), scanner.spaces(),
                let rate = scanner.word()
            else { return nil }
            self.percent = percent
            guard rate.hasSuffix("B/s") else { return nil }
            scanner.spaces()
            hasRate = scanner.word()?.utf8.contains(UInt8(ascii: ":")) == true
            guard scanner.skip(past: "-chk=") else { return }
            isLooking = scanner.has("ir-chk=", at: scanner.position - 7)
            guard let left = scanner.number(), scanner.take("/"),
                let all = scanner.number(), left <= all, scanner.take(")")
            else { return }
            self.left = left
            self.all = all
        }
    }
}
