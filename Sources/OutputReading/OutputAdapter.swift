/// Understands the progress that one kind of program prints.
protocol OutputAdapter: Sendable {
    /// The name of the adapter for `--adapter`.
    static var name: String { get }

    /// The programs whose output it reads; by default the program of its own name.
    static var programs: [String] { get }

    /// Whether the adapter is for this command, by the program's name and arguments.
    static func recognizes(_ command: CommandWords) -> Bool

    /// Whether a line alone shows that this program has printed it.
    static func recognizes(_ line: OutputLine) -> Bool

    /// Whether the adapter reads lines without a digit too, which otherwise cost next to nothing.
    var readsWords: Bool { get }

    init(for command: CommandWords)

    /// Takes the next line of either stream.
    ///
    /// An open line comes again, longer or whole.
    mutating func read(_ line: OutputLine) -> [ProgressSample]

    /// Takes the time in seconds, see `OutputReader`.
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
