/// `make` and `cmake --build` of what CMake generated: `[ 37%] Building C object main.c.o`.
///
/// A step is at the beginning of a line, with three columns for the number. `cmake --build` may
/// also run ninja, which prints `[12/345] …`; such a count from a Makefile may be anything. Without
/// its name it is recognized by CMake's own words behind the bracket.
struct MakeAdapter: OutputAdapter {
    static let name = "make"
    static let programs = ["make", "gmake", "cmake"]

    static func recognizes(_ line: OutputLine) -> Bool {
        guard let detail = step(in: line)?.detail else { return false }
        return words.contains { detail.hasPrefix($0) }
    }

    private let mayBeNinja: Bool

    init(for command: CommandWords) {
        mayBeNinja = command.program == "cmake"
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        if let step = Self.step(in: line) { return [step] }
        return mayBeNinja ? NinjaAdapter.sample(in: line).map { [$0] } ?? [] : []
    }

    private static let words = [
        "Building ", "Linking ", "Built target ", "Generating ", "Automatic ", "Performing ",
        "Creating directories", "Completed ", "Completing ", "No ", "Scanning ", "Running ",
    ]

    private static func step(in line: OutputLine) -> ProgressSample? {
        // `[ 37%] what`.
        guard line.bytes.count > 7, line.bytes[0] == UInt8(ascii: "["),
            line.bytes[4] == UInt8(ascii: "%"), line.bytes[5] == UInt8(ascii: "]")
        else { return nil }
        var scanner = LineScanner(line)
        scanner.move(to: 1)
        scanner.spaces()
        guard let percent = scanner.percentage(), scanner.position == 5 else { return nil }
        scanner.move(to: 6)
        return .percent(percent).with(detail: line.ending == .open ? nil : scanner.rest)
    }
}
