/// Why a theme file was refused.
package struct ThemeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from 1; `nil` if it is the whole file.
    package let line: Int?
    /// What was wrong and what is possible.
    package let problem: String

    package var description: String {
        line.map { "line \($0): \(problem)" } ?? problem
    }

    /// The start of what somebody wrote, safe to print.
    static func quoted(_ text: some StringProtocol) -> String {
        let limit = 40
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
                .unassigned:
                shown.append("?")
            default: shown.append(scalar)
            }
        }
        let isCut = text.unicodeScalars.dropFirst(limit).first != nil
        return "\"\(String(shown))\(isCut ? "…" : "")\""
    }
}
