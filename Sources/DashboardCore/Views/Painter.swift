import CellScreen
import ProgressBus
import TaskTree

/// The screen that is being drawn, and what everything that draws needs: colours, glyphs, the time.
struct Painter: Sendable {
    /// Slow enough to cost little, fast enough to be seen moving.
    static let phasesPerSecond = 5

    var grid: CellGrid
    let theme: Theme
    /// The glyphs for the direction in which the screen is read.
    let glyphs: Glyphs
    /// The moment of the picture.
    let now: Moment
    /// The time of the clock, which goes on while the picture stands still.
    let clock: Moment
    private let secondsFromUTC: @Sendable (Double) -> Int
    /// The results of `secondsFromUTC` in this frame, by the quarter of an hour.
    private var offsets: [Double: Int] = [:]
    /// The step of all animations, which stand still with the picture.
    var phase: Int

    init(_ options: DashboardOptions, columns: Int, rows: Int, at now: Moment, clock: Moment) {
        grid = CellGrid(columns: columns, rows: rows, isMirrored: options.isMirrored)
        theme = options.theme
        glyphs = options.shownGlyphs
        secondsFromUTC = options.secondsFromUTC
        self.now = now
        self.clock = clock
        phase = Int(now.nanoseconds / (1_000_000_000 / Int64(Self.phasesPerSecond)))
    }

    /// "03:14": the local time, whose offset is looked up once a frame for each quarter of an hour.
    mutating func minute(unixTime: Double) -> String {
        let quarter = (unixTime / 900).rounded(.down)
        let offset = offsets[quarter] ?? secondsFromUTC(unixTime)
        offsets[quarter] = offset
        return TimeOfDay.minute(unixTime: unixTime) { _ in offset }
    }

    /// Writes a text into a field and blanks the rest of it.
    ///
    /// - Returns: The columns that the text took.
    @discardableResult
    mutating func put(
        _ text: String,
        _ style: CellStyle,
        _ field: Field,
        row: Int,
        _ alignment: Alignment = .leading
    ) -> Int {
        guard field.width > 0 else { return 0 }
        return grid.put(
            text,
            column: field.start,
            row: row,
            width: field.width,
            style: style,
            alignment: alignment,
            ellipsis: glyphs.ellipsis
        )
    }

    @discardableResult
    mutating func put(
        _ text: String,
        _ role: Theme.Role,
        _ field: Field,
        row: Int,
        _ alignment: Alignment = .leading
    ) -> Int {
        put(text, theme.style(role), field, row: row, alignment)
    }

    /// Writes a text into as many columns as it takes.
    ///
    /// - Returns: The column after it.
    @discardableResult
    mutating func putWord(
        _ text: String,
        _ role: Theme.Role,
        from column: Int,
        to end: Int? = nil,
        row: Int
    ) -> Int {
        let whole = DisplayText.width(of: text)
        let width = end.map { min(whole, $0 - column) } ?? whole
        return column + put(text, role, Field(start: column, width: width), row: row)
    }

    /// Writes lines one below the other, as many as there is room for.
    mutating func putLines(_ lines: some Sequence<String>, _ role: Theme.Role, in area: Area) {
        for (index, line) in lines.prefix(max(area.height, 0)).enumerated() {
            put(line, role, area.field, row: area.row + index)
        }
    }

    /// Turns the parts of these addresses that an area shows into links to them.
    mutating func link(_ targets: [String], in area: Area) {
        guard !targets.isEmpty else { return }
        for row in area.row..<area.row + max(area.height, 0) {
            grid.link(targets, column: area.column, row: row, width: area.width)
        }
    }

    mutating func put(_ glyph: Unicode.Scalar, _ style: CellStyle, column: Int, row: Int) {
        grid.put(glyph, column: column, row: row, style: style)
    }

    /// The same character in several columns.
    mutating func put(_ glyph: Unicode.Scalar, _ style: CellStyle, _ columns: Range<Int>, row: Int)
    {
        grid.put(glyph, column: columns.lowerBound, row: row, width: columns.count, style: style)
    }

    mutating func fill(_ area: Area, _ role: Theme.Role) {
        grid.fill(
            column: area.column,
            row: area.row,
            width: area.width,
            height: area.height,
            style: theme.style(role)
        )
    }
}
