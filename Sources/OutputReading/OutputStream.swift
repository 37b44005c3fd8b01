/// Which of a program's two streams bytes came from; each has its own lines.
package enum OutputStream: Hashable, Sendable {
    /// Standard output, or a terminal, which takes both.
    case output
    case error
}
