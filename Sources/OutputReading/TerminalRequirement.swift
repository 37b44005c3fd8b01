/// What a command needs of its terminal to show any progress there.
package enum TerminalRequirement: Hashable, Sendable {
    case nothing
    /// The command must be in the foreground of the terminal; it reads no keys.
    case foreground
    /// The terminal must answer questions about the cursor, or keys must come from it.
    case answers

    /// The requirement of the program itself, not of one that it runs: `sudo` may ask for a
    /// password there first.
    package init(of command: CommandWords) {
        if PVAdapter.recognizes(command) {
            self = PVAdapter.need(of: command)
        } else {
            self = Self.readingKeys.contains(command.program) ? .answers : .nothing
        }
    }

    /// Programs that read keys from the terminal even if their standard input is none.
    private static let readingKeys: Set<String> = [
        "emacs", "fzf", "htop", "less", "man", "mc", "more", "most", "nano", "nvim", "top", "vi",
        "view", "vim",
    ]
}
