import CellScreen
import ProgressBus
import TaskTree

/// What everything that draws needs: colours, glyphs, the time.
struct Painter: Sendable {
    let theme: Theme
    let glyphs: Glyphs
    let indicators: IndicatorPainter
    let now: Moment
    /// Before a row whose children are hidden; points to where they would open.
    let folded: Unicode.Scalar
    /// Between the steps of a path.
    let step: Unicode.Scalar
    let secondsFromUTC: @Sendable (Double) -> Int
    /// Counts the steps of whatever moves; stands still with the picture.
    let phase: Int

    init(_ options: DashboardOptions, at now: Moment) {
        theme = options.theme
        glyphs = options.glyphs
        indicators = IndicatorPainter(theme: theme, glyphs: glyphs)
        folded = options.isMirrored ? glyphs.foldedMirrored : glyphs.folded
        step = options.isMirrored ? glyphs.stepMirrored : glyphs.step
        secondsFromUTC = options.secondsFromUTC
        self.now = now
        phase = Int(now.nanoseconds / (1_000_000_000 / Int64(IndicatorPainter.phasesPerSecond)))
    }

    /// Writes a text into an area's row.
    @discardableResult
    func put(
        _ text: String,
        _ role: Theme.Role,
        column: Int,
        row: Int,
        width: Int,
        alignment: Alignment = .leading,
        on grid: inout CellGrid
    ) -> Int {
        guard width > 0 else { return 0 }
        return grid.put(
            text,
            column: column,
            row: row,
            width: width,
            style: theme.style(role),
            alignment: alignment,
            ellipsis: glyphs.ellipsis
        )
    }
}
