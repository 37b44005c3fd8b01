/// Understands the progress that one kind of program prints.
package protocol OutputAdapter: Sendable {
    /// What `--adapter` calls it.
    static var name: String { get }

    /// Whether it is the one for this command: the program's name and arguments. The name is that of
    /// the adapter unless it says otherwise.
    static func recognizes(_ command: CommandWords) -> Bool

    /// Whether a line is so much in this program's manner that it may be taken without a name.
    static func recognizes(_ line: OutputLine) -> Bool

    /// Which lines it is given; all others cost nothing.
    var needs: LineNeed { get }

    init(for command: CommandWords)

    /// Takes the next line of either stream. An open line comes again, longer or whole.
    mutating func read(_ line: OutputLine) -> [ProgressSample]

    /// So much time has passed, see `OutputReader`.
    mutating func tick(at now: Double) -> [ProgressSample]

    var awaitsTime: Bool { get }
}

/// An adapter that understands each line by itself.
protocol LineAdapter: OutputAdapter {
    init()
    static func sample(in line: OutputLine) -> ProgressSample?
}

extension LineAdapter {
    init(for command: CommandWords) { self.init() }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        Self.sample(in: line).map { [$0] } ?? []
    }
}

/// What a line must have for an adapter to look at it.
package enum LineNeed: Sendable {
    case nothing
    case digit
    case percentSign

    func isMet(by marks: ByteMarks) -> Bool {
        switch self {
        case .nothing: true
        case .digit: marks.contains(.digit)
        case .percentSign: marks.contains(.percent)
        }
    }
}

extension OutputAdapter {
    package static func recognizes(_ command: CommandWords) -> Bool { command.program == name }

    package static func recognizes(_ line: OutputLine) -> Bool { false }

    package var needs: LineNeed { .digit }

    package mutating func tick(at now: Double) -> [ProgressSample] { [] }

    package var awaitsTime: Bool { false }
}
