/// `pv`: `2.34MiB 0:00:04 [ 604KiB/s] [===>   ] 81% ETA 0:00:00`, and `-n`, `-b`.
///
/// The sample is the percentage, with the amount as its detail, or else the amount. Without its
/// name pv is recognized by amount, time and rate in brackets together.
struct PVAdapter: OutputAdapter {
    static let name = "pv"

    static func recognizes(_ line: OutputLine) -> Bool { full(line) != nil }

    /// What pv needs of its terminal; up to 1.6.20 it assumes the background where it cannot tell.
    static func need(of command: CommandWords) -> TerminalRequirement {
        var words = command.arguments[...]
        while let word = words.popFirst(), word != "--" {
            if word == "--cursor" { return .answers }
            guard word.hasPrefix("-"), !word.hasPrefix("--") else { continue }
            let letters = word.dropFirst()
            let value = letters.firstIndex(where: valued.contains)
            if letters[..<(value ?? letters.endIndex)].contains("c") { return .answers }
            if let value, letters.index(after: value) == letters.endIndex { _ = words.popFirst() }
        }
        return .foreground
    }

    /// Its options with a value, which is the rest of the word or the next word.
    private static let valued: Set<Character> = [
        "A", "B", "D", "F", "H", "L", "N", "P", "R", "d", "i", "s", "w",
    ]

    private let isNumeric: Bool
    private let isAlone: Bool

    init(for command: CommandWords) {
        isAlone = command.program == "pv" || command.program.isEmpty
        isNumeric = command.arguments.contains {
            $0 == "--numeric" || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("n")
        }
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        if let sample = Self.full(line) { return [sample] }
        guard isAlone else { return [] }
        var scanner = LineScanner(line)
        scanner.spaces()
        if isNumeric {
            guard let percent = scanner.number(), scanner.isAtEnd, percent <= 100 else { return [] }
            return [.percent(percent * 100)]
        }
        guard let amount = scanner.amount(), scanner.previous == UInt8(ascii: "B") else {
            return []
        }
        scanner.spaces()
        return scanner.isAtEnd ? [.amount(amount, unit: "bytes")] : []
    }

    private static func full(_ line: OutputLine) -> ProgressSample? {
        var scanner = LineScanner(line)
        scanner.spaces()
        // `-N` puts a name before it.
        if let first = scanner.next, !Byte.isDigit(first) {
            guard scanner.skip(past: ": ") else { return nil }
            scanner.spaces()
        }
        let start = scanner.position
        guard let amount = scanner.amount() else { return nil }
        let isBytes = scanner.previous == UInt8(ascii: "B")
        let amountText = scanner.text(start..<scanner.position)
        guard scanner.spaces(), scanner.time() != nil, scanner.take(" ["),
            let close = scanner.find("]")
        else { return nil }
        let rate = scanner.text(scanner.position..<close)
        guard rate.hasSuffix("/s") else { return nil }
        scanner.move(to: close + 1)
        if scanner.skip(past: "] ") {
            scanner.spaces()
            if let percent = scanner.percentage() {
                return .percent(percent).with(detail: "\(amountText), \(rate)")
            }
        }
        // The percentage is at the end, if there is one.
        guard line.ending != .open else { return nil }
        return .amount(amount, unit: isBytes ? "bytes" : "lines").with(detail: rate)
    }
}
