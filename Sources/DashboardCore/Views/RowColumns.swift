/// Where the columns of a row are; depends on the width of the row and on nothing else, so that no
/// name, number or state ever moves another column.
///
/// Columns are offsets from the beginning of the row. A width of 0 is a column that is not there.
struct RowColumns: Equatable, Sendable {
    struct Field: Equatable, Sendable {
        var start = 0
        var width = 0

        var end: Int { start + width }
    }

    var number = Field()
    var mark = Field()
    var title = Field()
    var bar = Field()
    var percent = Field()
    var counts = Field()
    var rate = Field()
    var left = Field()
    /// The live detail, or what is wrong and what can be done.
    var detail = Field()

    /// What is wrong takes the place of the numbers that then mean nothing.
    var words: Field {
        let start = counts.width > 0 ? counts.start : left.width > 0 ? left.start : detail.start
        let end = max(counts.end, rate.end, left.end, detail.end)
        return end > start ? Field(start: start, width: end - start) : Field()
    }

    init(width: Int, hasNumber: Bool) {
        let number = hasNumber ? (width >= 60 ? 5 : width >= 30 ? 3 : 0) : 0
        let mark = 1
        // (bar, counts, rate, left, detail), each with the blank before it.
        let widths: (bar: Int, counts: Int, rate: Int, left: Int, detail: Int) =
            switch width {
            case 170...: (30, 24, 15, 14, width * 3 / 10)
            case 130...: (24, 20, 14, 13, width / 4)
            case 100...: (20, 18, 13, 12, 0)
            case 76...: (16, 13, 0, 12, 0)
            case 60...: (12, 0, 0, 11, 0)
            case 44...: (10, 0, 0, 8, 0)
            case 30...: (0, 0, 0, 7, 0)
            default: (0, 0, 0, 0, 0)
            }
        let percent = width >= 12 ? 4 : 0
        var position = 0
        func take(_ width: Int) -> Field {
            guard width > 0 else { return Field(start: position, width: 0) }
            let field = Field(start: position, width: width)
            position += width + 1
            return field
        }
        self.number = take(number)
        self.mark = take(mark)
        let fixed = [
            widths.bar, percent, widths.counts, widths.rate, widths.left, widths.detail,
        ].filter { $0 > 0 }
        let rest = width - position - fixed.reduce(0) { $0 + $1 + 1 }
        title = take(max(rest, 0))
        bar = take(widths.bar)
        self.percent = take(percent)
        counts = take(widths.counts)
        rate = take(widths.rate)
        left = take(widths.left)
        detail = take(widths.detail)
    }
}
