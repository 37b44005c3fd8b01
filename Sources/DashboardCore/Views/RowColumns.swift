/// Where the columns of a row are; depends on the width of the row and on nothing else, so that no
/// name, number or state ever moves another column.
///
/// Columns are offsets from the beginning of the row. A width of 0 is a column that is not there.
struct RowColumns: Equatable, Sendable {
    /// A column of numbers, aligned at their last digits, and a column of their units.
    struct Measures: Equatable, Sendable {
        var number = Field()
        var unit = Field()

        var whole: Field { Field(start: number.start, width: unit.end - number.start) }
    }

    let width: Int
    var cursor = Field()
    var number = Field()
    var mark = Field()
    var title = Field()
    var bar = Field()
    var percent = Field()
    var counts = Measures()
    var rate = Measures()
    /// How the rate was in the last two minutes.
    var trend = Field()
    var left = Measures()
    /// When it will end, or has ended, by the clock.
    var ends = Field()
    /// How long it has taken.
    var taken = Measures()
    var host = Field()
    /// The live detail.
    var detail = Field()

    /// The columns for the words about a problem, which replace the numbers that then mean nothing.
    var words: Field {
        let start = counts.number.width > 0 ? counts.number.start : left.number.start
        let end = max(left.unit.end, ends.end, taken.unit.end, host.end, detail.end)
        return end > start ? Field(start: start, width: end - start) : Field()
    }

    /// The least width at which each column is shown, so that a narrower screen loses the columns
    /// in this order (see Watching.md).
    private enum Least {
        static let host = 180
        static let trend = 160
        static let detail = 150
        static let ends = 118
        static let taken = 112
        static let rate = 96
        static let counts = 76
        static let number = 60
        static let bar = 52
        static let left = 30
        static let percent = 12
    }

    init(width: Int, hasNumber: Bool) {
        self.width = width
        var position = 0
        func take(_ width: Int, from least: Int = 0) -> Field {
            guard self.width >= least, width > 0 else { return Field(start: position, width: 0) }
            defer { position += width + 1 }
            return Field(start: position, width: width)
        }
        func takeMeasures(_ number: Int, _ unit: Int, from least: Int) -> Measures {
            let number = take(number, from: least)
            return Measures(number: number, unit: take(unit, from: least))
        }
        let isWide = width >= Least.rate
        let barWidth =
            switch width {
            case Least.host...: 24
            case Least.detail...: 20
            case Least.ends...: 18
            case Least.rate...: 16
            case Least.counts...: 14
            default: 12
            }
        func takeAll(title: Int, detail: Int) {
            position = 1
            cursor = Field(start: 0, width: min(width, 1))
            number = take(hasNumber ? (width >= Least.number ? 4 : 3) : 0, from: Least.left)
            mark = take(1)
            self.title = take(title)
            bar = take(barWidth, from: Least.bar)
            percent = take(4, from: Least.percent)
            counts = takeMeasures(
                width >= Least.detail ? 13 : isWide ? 12 : 9,
                isWide ? 8 : 6,
                from: Least.counts
            )
            rate = takeMeasures(5, 4, from: Least.rate)
            trend = take(RateTrend.capacity, from: Least.trend)
            left = takeMeasures(width >= Least.bar ? 4 : 3, isWide ? 4 : 3, from: Least.left)
            ends = take(5, from: Least.ends)
            taken = takeMeasures(3, 4, from: Least.taken)
            host = take(12, from: Least.host)
            self.detail = take(detail, from: Least.detail)
        }
        takeAll(title: 0, detail: 0)
        // The rest of the width is for the title and the detail; the last column needs no blank
        // after it.
        let rest = max(width - position, 0)
        let title = width >= Least.detail ? min(rest * 3 / 5, 40) : rest
        takeAll(title: title, detail: rest - title - 1)
    }
}
