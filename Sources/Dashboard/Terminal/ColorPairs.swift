import CellScreen

/// Numbers for pairs of colours, as ncurses wants them; at most `limit`.
///
/// A pair keeps its number as long as it may be on the screen. When there are no more numbers all
/// are given anew, and the screen is drawn as a whole.
struct ColorPairs {
    struct Pair: Hashable {
        var foreground: CellColor
        var background: CellColor
    }

    enum Answer: Equatable {
        case known(Int)
        /// To be introduced to the terminal.
        case new(Int)
        /// No number is left.
        case full
    }

    /// The highest number.
    let limit: Int
    private var numbers: [Pair: Int] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { numbers.count }

    /// The number of a pair; 0 is that of the two standard colours.
    mutating func number(of pair: Pair) -> Answer {
        if pair.foreground == .standard, pair.background == .standard { return .known(0) }
        if let number = numbers[pair] { return .known(number) }
        guard numbers.count < limit else { return .full }
        numbers[pair] = numbers.count + 1
        return .new(numbers.count)
    }

    mutating func forgetAll() {
        numbers.removeAll(keepingCapacity: true)
    }
}
