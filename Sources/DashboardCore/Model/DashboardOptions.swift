/// What the person who started the dashboard wants of it, and what its terminal can do.
package struct DashboardOptions: Sendable {
    /// Where the broker is, for the header.
    package var endpoint = ""
    /// Offer nothing that changes the work.
    package var isReadOnly = false
    /// From right to left.
    package var isMirrored = false
    package var theme = Theme.standard
    package var glyphs = Glyphs.unicode
    /// The task whose job is opened at once, as text for `find`.
    package var opens: String?
    /// Seconds between the local time zone and UTC, for times of day.
    package var secondsFromUTC = 0

    package init() {}
}
