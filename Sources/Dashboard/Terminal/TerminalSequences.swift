import CellScreen
import DashboardCore
import Essentials

/// Bytes for what terminals can do and ncurses does not know of.
enum TerminalSequences {
    /// Synchronized output: what is written between the two sequences appears at once.
    static let synchronizedOutput = 2026
    static let beginsSynchronized = bytes("\u{1B}[?2026h")
    static let endsSynchronized = bytes("\u{1B}[?2026l")

    /// Bracketed paste: what is pasted comes between marks.
    ///
    /// A terminal without it ignores the request.
    static let beginsBracketedPaste = bytes("\u{1B}[?2004h")
    static let endsBracketedPaste = bytes("\u{1B}[?2004l")

    /// Asks whether the terminal has a mode; the answer comes as input.
    static func question(forMode mode: Int) -> [UInt8] { bytes("\u{1B}[?\(mode)$p") }

    /// Whether terminals of a type are known not to print a question that they do not understand.
    static func takesQuestions(_ type: String) -> Bool {
        let families = [
            "xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "konsole", "vte",
            "gnome", "rxvt", "contour", "ghostty", "iterm",
        ]
        return families.contains { type.hasPrefix($0) }
    }

    static let savesTitle = bytes("\u{1B}[22;0t")
    static let restoresTitle = bytes("\u{1B}[23;0t")

    /// The longest title; window managers cut far earlier.
    private static let longestTitle = 200

    static func title(_ text: String) -> [UInt8] { bytes("\u{1B}]2;\(safe(text))\u{7}") }

    static let bell: [UInt8] = [7]

    /// A notification that some terminals show: OSC 777 for types known to have it, or else OSC 9.
    ///
    /// Only one is sent, as some terminals know both. The name in front keeps the text of a task
    /// from being taken for a number: `9;4` is the taskbar.
    static func notification(_ text: String, for type: String) -> [UInt8] {
        let isKnownTo777 = ["rxvt", "foot", "vte", "gnome"].contains { type.hasPrefix($0) }
        let words = safe(text)
        return bytes(
            isKnownTo777
                ? "\u{1B}]777;notify;progressbus;\(words)\u{7}"
                : "\u{1B}]9;progressbus: \(words)\u{7}"
        )
    }

    /// OSC 52: the terminal puts the text into its clipboard, if its owner lets it.
    static func clipboard(_ text: String) -> [UInt8] {
        bytes("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}")
    }

    /// OSC 8: a text with a link, written at a position of the screen.
    static func link(
        to target: String,
        _ text: String,
        _ style: CellStyle,
        at position: [UInt8]
    ) -> [UInt8] {
        // An address with other bytes gets no link, as without these it would be another address.
        guard target.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return [] }
        // ESC 7 saves the cursor and the colours, and ESC 8 restores them.
        return bytes("\u{1B}7") + position + bytes(graphics(style))
            + bytes("\u{1B}]8;;\(target)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\\u{1B}8")
    }

    private static func graphics(_ style: CellStyle) -> String {
        var codes = ["0"]
        let attributes: [(CellStyle.Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7"),
        ]
        codes += attributes.filter { style.attributes.contains($0.0) }.map(\.1)
        for (color, first) in [(style.foreground, 30), (style.background, 40)] {
            guard let index = color.index.map(Int.init) else { continue }
            codes.append(index < 8 ? "\(first + index)" : "\(first + 8);5;\(index)")
        }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }

    /// Text of strangers: nothing in it may end the sequence.
    private static func safe(_ text: String) -> String {
        PlainText.clean(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestTitle))))
    }

    static let clearsTaskbar = taskbar(.none)

    /// The progress that some terminals show in the taskbar.
    static func taskbar(_ state: DashboardModel.Taskbar) -> [UInt8] {
        let code =
            switch state {
            case .none: "0;0"
            case .normal(let percent): "1;\(clamped(percent))"
            case .error(let percent): "2;\(clamped(percent))"
            case .indeterminate: "3;0"
            case .paused(let percent): "4;\(clamped(percent))"
            }
        return bytes("\u{1B}]9;4;\(code)\u{7}")
    }

    private static func clamped(_ percent: Int) -> Int { min(max(percent, 0), 100) }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
