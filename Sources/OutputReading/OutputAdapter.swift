/// Understands the progress that one kind of program prints.
package protocol OutputAdapter: Sendable {
    /// What `--adapter` calls it.
    static var name: String { get }

    /// Whether it is the one for this command: the program's name and arguments.
    static func recognizes(_ command: CommandWords) -> Bool

    /// Whether a line is so much in this program's manner that it may be taken without a name.
    static func recognizes(_ line: OutputLine) -> Bool

    init(for command: CommandWords)

    /// Takes the next line of either stream.
    mutating func read(_ line: OutputLine) -> [Finding]
}

extension OutputAdapter {
    package static func recognizes(_ line: OutputLine) -> Bool { false }
}
