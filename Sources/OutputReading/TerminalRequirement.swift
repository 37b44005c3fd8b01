/// What a command needs of the terminal that it shows its progress on, to show anything.
package enum TerminalRequirement: Hashable, Sendable {
    case nothing
    /// That it is in the foreground of it; it reads no keys.
    case foreground
    /// That it answers questions about the cursor, or that keys come from it.
    case answers

    /// Of the program itself: what runs another one may ask for a password there first.
    package init(of command: CommandWords) {
        if PVAdapter.recognizes(command) {
            self = PVAdapter.need(of: command)
        } else {
            self = Self.readingKeys.contains(command.program) ? .answers : .nothing
        }
    }

    /// Programs that read keys from the terminal also where their standard input is none.
    private static let readingKeys: Set<String> = [
        "emacs", "fzf", "htop", "less", "man", "mc", "more", "most", "nano", "nvim", "top", "vi",
        "view", "vim",
    ]
}
