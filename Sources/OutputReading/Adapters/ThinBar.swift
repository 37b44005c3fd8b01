/// The bar that rich draws, and pip with it: `desc ━━━━━╺━━━━━━  37%`.
struct ThinBar {
    /// What stands before the bar.
    let title: String
    /// The scanner, which stands behind the bar and its spaces.
    var scanner: LineScanner

    /// Finds a bar of at least five cells with a space behind it, so that a rule between paragraphs
    /// is no bar.
    init?(in line: OutputLine) {
        guard let start = line.bytes.firstIndex(of: 0xe2) else { return nil }
        var scanner = LineScanner(line)
        var first = start
        // The title may have other characters that begin with the same byte.
        while true {
            scanner.move(to: first)
            var cells = 0
            while scanner.take("━") || scanner.take("╸") || scanner.take("╺") { cells += 1 }
            if cells >= 5 { break }
            guard let next = line.bytes[(first + 1)...].firstIndex(of: 0xe2) else { return nil }
            first = next
        }
        title = scanner.text(0..<first)
        guard scanner.spaces() else { return nil }
        self.scanner = scanner
    }

    /// `30.7/900.8 kB`: in bytes.
    mutating func amounts() -> (completed: Int64, total: Int64)? {
        scanner.found { scanner in
            guard let completed = scanner.decimal(inPowerOfTen: 3), scanner.take("/"),
                let total = scanner.decimal(inPowerOfTen: 3), completed <= total,
                scanner.take(" "), let factor = Self.factor(&scanner),
                let done = Self.bytes(completed, factor), let all = Self.bytes(total, factor)
            else { return nil }
            return (done, all)
        }
    }

    /// The factor of `kB` and units like it.
    private static func factor(_ scanner: inout LineScanner) -> Int64? {
        let factors: [(StaticString, Int64)] = [
            ("bytes", 1), ("kB", 1_000), ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
            ("TB", 1_000_000_000_000), ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824),
        ]
        for (name, factor) in factors where scanner.take(name) { return factor }
        return nil
    }

    private static func bytes(_ thousandths: Int64, _ factor: Int64) -> Int64? {
        let product = thousandths.multipliedReportingOverflow(by: factor)
        return product.overflow ? nil : product.partialValue / 1_000
    }
}
