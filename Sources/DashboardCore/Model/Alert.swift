/// A job whose end is to be told.
struct Alert: Equatable, Sendable {
    var title: String
    /// Where it was seen last.
    var slot: Int?
}
