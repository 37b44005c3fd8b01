import DashboardCore

/// Bytes for what terminals can do and ncurses does not know of.
enum TerminalSequences {
    /// Synchronized output: what is between the two appears at once.
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

    /// Terminals that are known not to print a question they do not understand.
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

    /// A title is text of strangers: nothing in it may end the sequence.
    static func title(_ text: String) -> [UInt8] {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longestTitle) {
            let isControl = scalar.value < 32 || (127..<160).contains(scalar.value)
            safe.append(isControl ? " " : scalar)
        }
        return bytes("\u{1B}]2;\(String(safe))\u{7}")
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
