import TaskTree

/// What the person is typing in the footer.
enum Prompt: Equatable, Sendable {
    case slot(String)
    case filter(String)
}

/// A line in the footer about what just happened, gone after a while.
struct Note: Equatable, Sendable {
    static let life = 6.0

    var text: String
    var until: Moment

    init(_ text: String, at now: Moment) {
        self.text = text
        until = now.advanced(bySeconds: Self.life)
    }
}
