import Foundation

/// What screen.py replies to a request.
protocol TerminalAnswer: Decodable, Sendable {}

struct TerminalReply: TerminalAnswer {
    var ok: Bool
    var error: String?
}

/// What is on a terminal.
struct TerminalScreen: TerminalAnswer, CustomStringConvertible {
    struct Cursor: Decodable, Sendable {
        var row: Int
        var column: Int
        var visible: Bool
    }

    var ok: Bool
    /// One for each row, without the blanks at their ends.
    var lines: [String]
    var columns: Int
    var rows: Int
    var cursor: Cursor
    var alternate: Bool
    var title: String
    /// The private modes that are set, such as 25 (a visible cursor) and 1000 to 1006 (the mouse).
    var modes: [Int]
    /// Of the program: `running`, `stopped N`, `exited N`, `signalled N`.
    var state: String

    var text: String { lines.joined(separator: "\n") }

    /// The row whose text contains this; nil where none or several do.
    func row(of text: String) -> Int? {
        let found = lines.indices.filter { lines[$0].contains(text) }
        return found.count == 1 ? found[0] : nil
    }

    var description: String {
        let numbered = lines.enumerated().map { row, line in
            let number = String(row)
            return String(repeating: " ", count: 3 - min(3, number.count)) + number + "│" + line
        }
        let kind = alternate ? "alternate" : "main"
        return "\(columns)×\(rows), \(kind) screen, \(state), cursor at \(cursor.row) "
            + "\(cursor.column)\n" + numbered.joined(separator: "\n")
    }
}

/// Cells of one row that have one style.
struct TerminalRun: Decodable, Sendable {
    struct Style: Decodable, Hashable, Sendable {
        /// A number of the palette, or #rrggbb; nil for the terminal's own.
        var fg: String?
        var bg: String?
        var bold: Bool?
        var dim: Bool?
        var italics: Bool?
        var underscore: Bool?
        var strikethrough: Bool?
        var reverse: Bool?
        var blink: Bool?
    }

    var column: Int
    var text: String
    var style: Style
}

struct TerminalRuns: TerminalAnswer {
    var runs: [TerminalRun]
}

/// How a program is and what it leaves or has left behind.
struct TerminalState: TerminalAnswer {
    /// The line discipline; a shell wants all of it on.
    struct Line: Decodable, Hashable, Sendable {
        var canonical: Bool
        var echo: Bool
        var signals: Bool
        var carriageReturns: Bool
        var postprocessing: Bool
        var asBefore: Bool
    }

    var state: String
    var pid: Int32
    /// What it has written so far.
    var bytes: Int
    var bursts: Int
    /// Synchronized updates among that.
    var updates: Int
    var bells: Int
    /// Sequences that no terminal knows, and stray control characters.
    var strange: [String: Int]
    /// OSC sequences other than titles, such as `9;4;1;50`.
    var announcements: [String]
    /// Lines that have left the main screen at its top.
    var scrollback: [String]
    var secondsToFirstOutput: Double?
    /// nil once the terminal was closed.
    var line: Line?
    /// Whether screen, cursor, mouse, margins and colors are as a shell expects them.
    var clean: Bool
}

/// A time during which a label was alive; seconds of the system's monotonic clock.
struct TerminalLife: Sendable {
    var label: String
    var began: Double
    var ended: Double
}

/// Where labels have been; see Tools/TestSupport/terminal/placehistory.py.
struct TerminalHistory: Decodable, Sendable {
    struct Event: Decodable, Sendable {
        var time: Double
        var what: String
        var label: String
        var from: String
        var to: String
    }

    struct Screens: Decodable, Sendable {
        var time: Double
        var before: [String]
        var after: [String]
    }

    struct Place: Decodable, Hashable, Sendable {
        var row: Int
        var column: Int
        var visible: Bool
    }

    var looks: Int
    var labels: Int
    /// Labels that moved at least once.
    var moved: Int
    /// Times a label was in another row than at the look before.
    var moves: Int
    /// Times a label was away for less than 0.25 s.
    var blinks: Int
    /// Times a label came back in another row.
    var returns: Int
    /// Times a label came back at all.
    var gaps: Int
    /// Times a label began in another column than before.
    var columnChanges: Int
    /// The most rows that one label was in at once.
    var copies: Int
    /// Lines that left at the top.
    var scrolled: Int
    /// The first of what happened, and the screens before and after.
    var events: [Event]
    var screens: [Screens]
    /// Where each label was seen last.
    var places: [String: Place]
}

extension TerminalHistory {
    /// What no indicator may do, in words; empty where everything kept its place.
    var faults: [String] {
        let counts = [
            ("moves", moves), ("blinks", blinks), ("returns in another row", returns),
            ("changes of the column", columnChanges), ("lines scrolled away", scrolled),
            ("copies of a label beside it", max(0, copies - 1)),
        ]
        let words = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        guard !words.isEmpty else { return [] }
        let details = events.prefix(5).map { "\($0.what) of \($0.label): \($0.from) to \($0.to)" }
        let shown = screens.first.map { screens in
            "before:\n\(screens.before.joined(separator: "\n"))\n"
                + "after:\n\(screens.after.joined(separator: "\n"))"
        }
        return words + details + [shown].compactMap(\.self)
    }
}

/// Whether labels were visible while they were alive.
struct TerminalLives: Decodable, Sendable {
    var lives: Int
    /// Never seen while alive.
    var unseen: Int
    /// Seconds until the latest of those seen appeared.
    var worstDelay: Double
    /// Not there after the grace: label and delay.
    var late: [[Element]]
    /// There, then not, while alive: label, from, to.
    var missing: [[Element]]

    enum Element: Decodable, Sendable, CustomStringConvertible {
        case text(String)
        case number(Double)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }

        var description: String {
            switch self {
            case .text(let text): text
            case .number(let number): "\(number)"
            }
        }
    }
}

struct TerminalHistoryReply: TerminalAnswer {
    var history: TerminalHistory
    var check: TerminalLives?
}
