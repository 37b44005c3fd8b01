/// One thing that `doctor` has looked at: a sentence, and whether it is well.
struct Diagnostic: Equatable, Sendable {
    enum Verdict: String, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing; nothing is wrong.
        case note
        /// Why the bus does not work.
        case bad
    }

    var verdict: Verdict
    var sentence: String

    var line: String {
        verdict.rawValue + String(repeating: " ", count: 6 - verdict.rawValue.count) + sentence
    }

    static func ok(_ sentence: String) -> Diagnostic {
        Diagnostic(verdict: .ok, sentence: sentence)
    }
    static func note(_ sentence: String) -> Diagnostic {
        Diagnostic(verdict: .note, sentence: sentence)
    }
    static func bad(_ sentence: String) -> Diagnostic {
        Diagnostic(verdict: .bad, sentence: sentence)
    }
}
