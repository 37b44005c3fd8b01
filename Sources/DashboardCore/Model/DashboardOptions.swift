/// What the person who started the dashboard wants of it, and what its terminal can do.
package struct DashboardOptions: Sendable {
    /// Where the broker is, for the header.
    package var endpoint = ""
    /// Whether commands that name no endpoint reach this bus from any terminal.
    package var isDefaultBus = true
    /// Why the dashboard must not change the work, as words behind "read-only: "; `nil` if it may.
    package var readOnly: String?
    /// Whether the screen is read from right to left.
    package var isMirrored = false
    package var theme = Theme.standard
    package var glyphs = Glyphs.unicode
    /// The task whose job is opened at once, as text for `find`.
    package var opens: String?
    /// Whether the title of the terminal shows the progress.
    package var showsTitle = false
    /// Whether the taskbar shows the progress, if the terminal can do that.
    package var showsTaskbar = false
    /// How many seconds local time is ahead of UTC at a Unix time, for times of day.
    ///
    /// The dashboard calls it anew for each frame: the offset depends on the season, and somebody
    /// may change the rules while the dashboard is open.
    package var secondsFromUTC: @Sendable (_ unixTime: Double) -> Int = { _ in 0 }

    package init() {}

    /// The glyphs for the direction in which the screen is read.
    var shownGlyphs: Glyphs { isMirrored ? glyphs.mirrored : glyphs }
}
