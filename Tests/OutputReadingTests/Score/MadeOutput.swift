/// Makes what programs print that are not recorded: their known lines, at an even pace.
///
/// The words and forms are the programs' own; numbers and times are made up here.
struct MadeOutput {
    private(set) var pieces: [TimedOutput.Piece] = []
    private(set) var time = 0.0

    /// Prints so many times in so many seconds; the text knows how far that is, from 0 to 1.
    mutating func print(
        _ times: Int,
        in seconds: Double,
        _ text: (_ done: Double, _ number: Int) -> String
    ) {
        for number in 1...times {
            pieces.append(.init(time: time, text: text(Double(number - 1) / Double(times), number)))
            time += seconds / Double(times)
        }
    }

    mutating func print(_ text: String) {
        pieces.append(.init(time: time, text: text))
    }

    mutating func wait(_ seconds: Double) { time += seconds }

    static func program(_ name: String, _ make: (inout MadeOutput) -> Void) -> TimedOutput {
        var made = MadeOutput()
        make(&made)
        return TimedOutput(name: name, pieces: made.pieces, duration: made.time)
    }

    /// One line again and again.
    static func program(
        _ name: String,
        _ times: Int,
        in seconds: Double,
        _ text: (_ done: Double, _ number: Int) -> String
    ) -> TimedOutput {
        program(name) { $0.print(times, in: seconds, text) }
    }
}

/// How programs write numbers.
enum Print {
    static func whole(_ share: Double) -> Int { Int(share * 100) }

    /// `37.5`, or with more digits.
    static func decimal(_ share: Double, digits: Int = 1) -> String {
        let factor = digits == 1 ? 10 : 100
        let number = Int(share * 100 * Double(factor))
        let rest = String(number % factor)
        return "\(number / factor)."
            + String(repeating: "0", count: digits - rest.count) + rest
    }

    static func padded(_ value: some CustomStringConvertible, _ width: Int) -> String {
        let text = value.description
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static func bar(
        _ share: Double,
        _ width: Int,
        full: String = "=",
        empty: String = "."
    )
        -> String
    {
        let done = Int(share * Double(width))
        return String(repeating: full, count: done)
            + String(repeating: empty, count: width - done)
    }

    /// A number that goes up and down between two.
    static func wave(_ number: Int, _ low: Int, _ high: Int) -> Int {
        low + (number * 7919 + number * number * 31) % (high - low + 1)
    }
}
