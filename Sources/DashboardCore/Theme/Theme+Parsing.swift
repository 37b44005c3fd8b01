import CellScreen

/// Reading a theme file.
///
/// A line is empty, or `inherit standard` or `inherit monochrome` (once, before all roles), or
/// `ROLE = STYLE`. A style is `plain`, or any of `bold`, `dim`, `reverse`, `underline`, `fg COLOR`
/// and `bg COLOR`. A colour is `default`, a name, `bright-` and a name, or a number from 0 to 255.
/// `#` begins a comment. What a file does not name stays as in the theme it inherits, which is
/// `standard` if it does not say.
extension Theme {
    /// Bytes of a theme file; one that sets everything has some 1,000.
    static let fileLimit = 65_536

    /// Reads the contents of a theme file.
    package init(parsing text: String) throws(ThemeError) {
        guard text.utf8.count <= Self.fileLimit else {
            throw ThemeError(
                line: nil,
                problem: "it is longer than \(Self.fileLimit) bytes; this is no theme file"
            )
        }
        var reader = ThemeReader()
        // A byte order mark is not content.
        let content =
            text.unicodeScalars.first == "\u{FEFF}"
            ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        let lines = Substring(content).split(omittingEmptySubsequences: false) { $0.isNewline }
        for line in lines { try reader.read(line) }
        self = reader.theme
    }
}

private struct ThemeReader {
    private(set) var theme = Theme.standard
    private var number = 0
    private var inheritedAt: Int?
    /// The line in which each role was set.
    private var setAt: [Theme.Role: Int] = [:]

    private func wrong(_ problem: String) -> ThemeError {
        ThemeError(line: number, problem: problem)
    }

    mutating func read(_ line: Substring) throws(ThemeError) {
        number += 1
        let content = line.prefix { $0 != "#" }
        let words = content.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return }
        if let sign = content.firstIndex(of: "=") {
            let names = content[..<sign].split(whereSeparator: \.isWhitespace)
            let style = content[content.index(after: sign)...].split(whereSeparator: \.isWhitespace)
            try set(names, to: style)
        } else if first == "inherit" {
            try inherit(words.dropFirst())
        } else {
            throw wrong(
                "\"=\" is missing after \(ThemeError.quoted(first)); "
                    + "a line is ROLE = STYLE, or inherit THEME"
            )
        }
    }

    private mutating func inherit(_ names: ArraySlice<Substring>) throws(ThemeError) {
        if let line = inheritedAt {
            throw wrong("inherit is already in line \(line); once is enough")
        }
        if let line = setAt.values.min() {
            throw wrong("inherit stands before all roles, and line \(line) has one")
        }
        guard names.count == 1, let name = names.first, let base = Theme.named[String(name)] else {
            throw wrong(
                "\(ThemeError.quoted(names.joined(separator: " "))) cannot be inherited; "
                    + "possible are standard, dark, light and monochrome"
            )
        }
        theme = base
        inheritedAt = number
    }

    private mutating func set(_ names: [Substring], to words: [Substring]) throws(ThemeError) {
        guard names.count == 1, let name = names.first,
            let role = Theme.Role.allCases.first(where: { $0.name == name })
        else {
            let roles = Theme.Role.allCases.map(\.name).joined(separator: ", ")
            throw wrong(
                "there is no role \(ThemeError.quoted(names.joined(separator: " "))); "
                    + "roles are \(roles)"
            )
        }
        if let line = setAt[role] {
            throw wrong("\(role.name) is already set in line \(line); a role is set once")
        }
        let style = try style(words)
        theme.styles[role] = style
        // A file that adds a colour to `monochrome` wants colours.
        if style.foreground != .standard || style.background != .standard { theme.colors = 256 }
        setAt[role] = number
    }

    private func style(_ words: [Substring]) throws(ThemeError) -> CellStyle {
        let possible = "plain, bold, dim, reverse, underline, fg COLOR and bg COLOR"
        guard !words.isEmpty else { throw wrong("nothing follows \"=\"; possible are \(possible)") }
        if words == ["plain"] { return .plain }
        var style = CellStyle.plain
        var given: Set<Substring> = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard given.insert(word).inserted else {
                throw wrong("\(ThemeError.quoted(word)) is given twice; once is enough")
            }
            switch word {
            case "bold": style.attributes.insert(.bold)
            case "dim": style.attributes.insert(.dim)
            case "reverse": style.attributes.insert(.reverse)
            case "underline": style.attributes.insert(.underline)
            case "fg": style.foreground = try color(after: word, rest.popFirst())
            case "bg": style.background = try color(after: word, rest.popFirst())
            case "plain": throw wrong("plain stands alone; leave it out to name what is not plain")
            default:
                throw wrong("\(ThemeError.quoted(word)) is no style; possible are \(possible)")
            }
        }
        if style.foreground == style.background, style.foreground != .standard {
            throw wrong("fg and bg are the same colour, so nothing could be read; change one")
        }
        return style
    }

    private func color(after word: Substring, _ name: Substring?) throws(ThemeError) -> CellColor {
        if name == "default" { return .standard }
        if let name, let color = CellColor(name: String(name)) { return color }
        let found = name.map { "\(ThemeError.quoted($0)) is no colour" } ?? "\(word) needs a colour"
        throw wrong("\(found); colours are default, \(CellColor.possibleNames)")
    }
}

/// Why a theme file was refused.
package struct ThemeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from 1; `nil` if it is the whole file.
    package let line: Int?
    /// What was wrong and what is possible.
    package let problem: String

    package var description: String {
        line.map { "line \($0): \(problem)" } ?? problem
    }

    /// The first characters of a text from a theme, without control characters, for a message.
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

extension CellColor {
    /// The terminal's eight colours in the order of its palette; the bright ones follow them.
    static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// What `init(name:)` understands, for messages.
    static let possibleNames =
        names.joined(separator: ", ") + ", bright- before any of them, or a number from 0 to 255"

    /// The colour of a name: a colour's name, `bright-` and a name, or its number in the palette of
    /// 256.
    init?(name: String) {
        // The name may be a tint that a task has sent; all names of colours are shorter than this.
        guard name.utf8.count <= 16 else { return nil }
        let brightness = "bright-"
        let isBright = name.hasPrefix(brightness)
        let base = isBright ? String(name.dropFirst(brightness.count)) : name
        if let index = Self.names.firstIndex(of: base) {
            self = .indexed(UInt8(index) + (isBright ? 8 : 0))
        } else if name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = UInt8(name) {
            self = .indexed(index)
        } else {
            return nil
        }
    }
}
