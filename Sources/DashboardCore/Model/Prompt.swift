/// What the person is typing in the footer.
enum Prompt: Equatable, Sendable {
    case slot(String)
    case filter(String)
}
