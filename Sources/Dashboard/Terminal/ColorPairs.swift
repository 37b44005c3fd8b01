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

/// A colour of the palette of 256 on a terminal that has fewer.
enum ColorReduction {
    /// The nearest colour below `available`: the index itself, one of 16, one of 8, or -1 for none.
    static func index(_ index: UInt8, available: Int) -> Int {
        let index = Int(index)
        if index < available { return index }
        guard available >= 8 else { return -1 }
        let basic = index < 16 ? index : nearestBasic(index)
        return available >= 16 ? basic : basic % 8
    }

    /// Of the first 16, the one with the same channels above half, bright if one is above 3/4.
    private static func nearestBasic(_ index: Int) -> Int {
        let channels: [Int]
        if index >= 232 {
            channels = Array(repeating: 8 + (index - 232) * 10, count: 3)
        } else {
            let cube = index - 16
            let steps = [0, 95, 135, 175, 215, 255]
            channels = [cube / 36, cube / 6 % 6, cube % 6].map { steps[$0] }
        }
        let peak = channels.max() ?? 0
        guard peak >= 64 else { return peak >= 40 ? 8 : 0 }
        var basic = 0
        for (bit, channel) in channels.enumerated() where channel * 3 >= peak * 2 {
            basic |= 1 << bit
        }
        // Grey is no colour of all three channels.
        if basic == 7, peak < 160 { return 8 }
        return peak >= 192 ? basic + 8 : basic
    }
}
