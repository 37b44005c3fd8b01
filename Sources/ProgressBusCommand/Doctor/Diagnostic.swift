/// The result of one check of `doctor`, in a sentence.
enum Diagnostic: Equatable, Sendable {
    /// As it should be.
    case ok(String)
    /// Worth knowing; nothing is wrong.
    case note(String)
    /// Why the bus does not work.
    case bad(String)

    var line: String {
        switch self {
        case .ok(let sentence): "ok    " + sentence
        case .note(let sentence): "note  " + sentence
        case .bad(let sentence): "bad   " + sentence
        }
    }
}
