/// What a handler says to somebody's wish to cancel, pause or resume its task.
public enum RequestAnswer: Sendable, Hashable {
    /// It will be done.
    case accept
    /// It will not be done, and why, in a sentence of at most 500 bytes.
    case refuse(_ sentence: String)
}
