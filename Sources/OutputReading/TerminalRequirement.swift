/// What a command needs of the terminal that it shows its progress on, to show anything.
package enum TerminalRequirement: Hashable, Sendable {
    case nothing
    /// That it is in the foreground of it; it reads no keys.
    case foreground
    /// That it answers questions about the cursor.
    case answers

    /// Of the program itself: what runs another one may ask for a password there first.
    package init(of command: CommandWords) {
        self = PVAdapter.recognizes(command) ? PVAdapter.need(of: command) : .nothing
    }
}
