/// `ninja`: `[12/345] CXX main.o`, and others that number their steps so.
///
/// A step is at the beginning of a line, with words behind the bracket. Without its name it is
/// recognized when there are at least two steps and their number has risen.
struct NinjaAdapter: LineAdapter {
    static let name = "ninja"
    static let programs = ["ninja", "ninja-build", "samu", "meson"]

    static func recognizes(_ line: OutputLine) -> Bool {
        guard let step = sample(in: line) else { return false }
        return step.total ?? 0 >= 2 && step.detail != nil
    }

    /// `[12/345] what`, or `[12/345 1.2s] what` as NINJA_STATUS may say it.
    static func sample(in line: OutputLine) -> ProgressSample? {
        guard line.bytes.first == UInt8(ascii: "[") else { return nil }
        var scanner = LineScanner(line)
        _ = scanner.take("[")
        scanner.spaces()
        guard let completed = scanner.number(), scanner.take("/"),
            let total = scanner.number(), completed <= total,
            scanner.next == UInt8(ascii: "]") || scanner.next == Byte.space,
            let close = scanner.find("]"), close - scanner.position < 24
        else { return nil }
        scanner.move(to: close + 1)
        guard scanner.spaces(), !scanner.isAtEnd else { return nil }
        // The command of an open line may be cut.
        let detail = line.ending == .open ? nil : scanner.rest
        return .amount(completed, of: total, unit: "steps").with(detail: detail)
    }
}
