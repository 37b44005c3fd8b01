/// Understands the progress that one kind of program prints.
protocol OutputAdapter: Sendable {
    /// What `--adapter` calls it.
    static var name: String { get }

    /// The programs whose output it reads; that of its own name unless it says otherwise.
    static var programs: [String] { get }

    /// Whether it is the one for this command: the program's name and arguments.
    static func recognizes(_ command: CommandWords) -> Bool

    /// Whether a line is so much in this program's manner that it may be taken without a name.
    static func recognizes(_ line: OutputLine) -> Bool

    /// Whether lines without a digit say something too; others cost next to nothing.
    var readsWords: Bool { get }

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

extension OutputAdapter {
    static var programs: [String] { [name] }

    static func recognizes(_ command: CommandWords) -> Bool { programs.contains(command.program) }

    static func recognizes(_ line: OutputLine) -> Bool { false }

    var readsWords: Bool { false }

    mutating func tick(at now: Double) -> [ProgressSample] { [] }

    var awaitsTime: Bool { false }
}
