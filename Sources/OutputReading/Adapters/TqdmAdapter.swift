/// Programs with tqdm: `epochs:  37%|███   | 12/345 [00:01<00:10, 33.1it/s]` or
/// `12it [00:01, 9.8it/s]`.
///
/// Every bar is a part under its description; a bar without one is the command's. A description
/// that changes while its bar goes on (`loss 0.31`) is that bar's detail and no new part, if the
/// total is the same and no less is done than before. A bar is recognized by the whole line up to
/// the times.
struct TqdmAdapter: OutputAdapter {
    static let name = "tqdm"

    static func recognizes(_ line: OutputLine) -> Bool { Bar(in: line)?.total != nil }

    private static let mostBars = 64

    private struct Known {
        var part: String
        var description: String
        var total: Int64?
        var completed: Int64
    }

    private var bars: [Known] = []

    init(for command: CommandWords) {}

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        guard let bar = Bar(in: line) else { return [] }
        var sample = ProgressSample.amount(bar.completed, of: bar.total, unit: bar.unit)
        guard !bar.description.isEmpty else { return [sample] }
        var place = bars.firstIndex { $0.description == bar.description }
        if place == nil, bar.completed > 0 {
            place = bars.firstIndex {
                $0.total == bar.total && $0.completed <= bar.completed
                    && $0.completed < $0.total ?? .max
            }
            if let place {
                bars[place].description = bar.description
                sample.detail = bar.description
            }
        }
        if let place {
            bars[place].completed = bar.completed
            bars[place].total = bar.total
            sample.part = bars[place].part
        } else {
            if bars.count == Self.mostBars { bars.removeFirst() }
            bars.append(
                Known(
                    part: bar.description,
                    description: bar.description,
                    total: bar.total,
                    completed: bar.completed
                )
            )
            sample.part = bar.description
        }
        return [sample.done(bar.completed == bar.total)]
    }

    private struct Bar {
        var description = ""
        var completed: Int64
        var total: Int64?
        var unit: String?

        init?(in line: OutputLine) {
            var scanner = LineScanner(line)
            if let sign = scanner.find("%|") {
                var start = sign
                while start > 0, Byte.isDigit(line.bytes[start - 1]) { start -= 1 }
                guard start < sign else { return nil }
                description = Self.description(scanner.text(0..<start))
                scanner.move(to: sign + 2)
                guard scanner.skip(past: "| "), let completed = scanner.amount(base: 1_000),
                    scanner.take("/"), let total = scanner.amount(base: 1_000),
                    total > 0, completed <= total
                else { return nil }
                self.completed = completed
                self.total = total
            } else {
                if let colon = scanner.find(": ") {
                    description = Self.description(scanner.text(0..<(colon + 1)))
                    scanner.move(to: colon + 2)
                }
                guard let completed = scanner.amount(base: 1_000) else { return nil }
                scanner.skip(while: Byte.isLetter)
                self.completed = completed
            }
            guard scanner.take(" ["), scanner.time() != nil,
                scanner.take("<") || scanner.take(",")
            else { return nil }
            unit = Self.unit(&scanner)
        }

        private static func description(_ text: String) -> String {
            text.hasSuffix(":") ? String(text.dropLast()) : text
        }

        /// The unit of the rate: `33.1it/s`, `2.26MB/s`, `1.20s/img`, `?B/s`.
        private static func unit(_ scanner: inout LineScanner) -> String? {
            guard scanner.find("/s") != nil else { return nil }
            if let comma = scanner.find(", ") { scanner.move(to: comma + 2) }
            scanner.spaces()
            scanner.skip { Byte.isDigit($0) || Byte.isAny(of: ".?", $0) }
            let start = scanner.position
            guard let slash = scanner.find("/s"), slash > start, slash - start < 12 else {
                return nil
            }
            let word = scanner.text(start..<slash)
            if ["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB"].contains(word) { return "bytes" }
            return word == "it" ? nil : word
        }
    }
}
