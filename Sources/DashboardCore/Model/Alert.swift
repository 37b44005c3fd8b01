/// A job whose end the dashboard is to announce.
struct Alert: Equatable, Sendable {
    var title: String
    /// The slot in which the job was last seen.
    var slot: Int?
}
