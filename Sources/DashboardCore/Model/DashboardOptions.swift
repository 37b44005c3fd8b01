/// What the person who started the dashboard wants of it, and what its terminal can do.
package struct DashboardOptions: Sendable {
    /// Where the broker is, for the header.
    package var endpoint = ""
    /// Whether commands that name no endpoint go there from any terminal.
    package var isDefaultBus = true
    /// Why nothing is offered that changes the work, as words behind "read-only: "; `nil` where it is.
    package var readOnly: String?
    /// From right to left.
    package var isMirrored = false
    package var theme = Theme.standard
    package var glyphs = Glyphs.unicode
    /// The task whose job is opened at once, as text for `find`.
    package var opens: String?
    /// Whether the terminal's title says how far things are.
    package var showsTitle = false
    /// Whether the taskbar says it, where the terminal can.
    package var showsTaskbar = false
    /// How many seconds local time is ahead of UTC at a Unix time, for times of day.
    ///
    /// Asked each time that one is shown: another time of the year has another offset, and somebody
    /// may change the rules while the dashboard is open.
    package var secondsFromUTC: @Sendable (_ unixTime: Double) -> Int = { _ in 0 }

    package init() {}

    /// The glyphs for the direction in which the screen is read.
    var shownGlyphs: Glyphs { isMirrored ? glyphs.mirrored : glyphs }
}
