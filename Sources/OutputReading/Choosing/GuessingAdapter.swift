/// Reads a command that has no adapter: waits for lines in the manner of a known program, or for
/// percentages and counts that rise.
///
/// A script runs one program after the other, so a program that is recognized takes over from any
/// before it. Percentages and counts that rise are followed only as long as no program has been
/// recognized, for a program's own lines say more. Any program may print numbered steps such as
/// `[2/10] retry`, so they must rise once and be no metric. `Phases` decides whether a number is
/// that of the whole command.
struct GuessingAdapter: OutputAdapter {
    static let name = "automatic"
    static let programs: [String] = []

    private let command: CommandWords
    private var current: (any OutputAdapter)?
    private var rising = RisingNumbers()
    private var phases = Phases()
    private var step: ProgressSample?

    init(for command: CommandWords) {
        self.command = command
    }

    /// Whether the adapter of a recognized program reads lines without digits; false without one.
    var readsWords: Bool { current?.readsWords ?? false }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        let found = current?.read(line) ?? []
        if !found.isEmpty { return take(found) }
        for type in AdapterCatalog.bySight where type.recognizes(line) {
            // The present adapter has read this line and found nothing.
            if let current, Swift.type(of: current) == type { return [] }
            if type == NinjaAdapter.self, !isNextStep(line) { break }
            var adapter = type.init(for: command)
            let found = adapter.read(line)
            current = adapter
            return phases.programChanges() + take(found)
        }
        guard current == nil else { return [] }
        return rising.read(line).flatMap { phases.take($0) }
    }

    mutating func tick(at now: Double) -> [ProgressSample] {
        rising.tick()
        return phases.tick(at: now)
    }

    var awaitsTime: Bool { phases.awaitsTime }

    /// Passes amounts of a whole program to `Phases`, as the command may run many programs.
    private mutating func take(_ found: [ProgressSample]) -> [ProgressSample] {
        found.flatMap { sample in
            guard sample.part == nil, sample.completed != nil, let current else { return [sample] }
            let name = type(of: current).name
            return phases.take(Claim(source: .adapter(name), name: name, sample: sample))
        }
    }

    /// Whether a line has a greater step than the last line with a step, of the same total.
    private mutating func isNextStep(_ line: OutputLine) -> Bool {
        let last = step
        step = NumberSight.all(in: line).isEmpty ? nil : NinjaAdapter.sample(in: line)
        guard let last, let step, last.total == step.total else { return false }
        return (last.completed ?? 0) < (step.completed ?? 0)
    }
}
