/// How much the spool of an endpoint may hold, and for how long.
package enum SpoolLimits {
    /// Bytes of one file; a session writes one.
    package static let fileBytes = 4_194_304
    /// Frames in one file.
    package static let frames = 4_096
    /// Endings and folds in one file.
    package static let statements = 32_768
    /// Files that wait; a session that finds as many writes nothing.
    package static let files = 1_000
    /// Seconds after which a file is too old to be taken in.
    package static let seconds: Int64 = 3_600
    /// Damaged files that are kept for somebody to look at; the oldest are removed.
    package static let damagedFiles = 20
    /// Entries of the directory that are looked at in one go, so that many foreign files cost
    /// little.
    package static let entries = 4_096
}
