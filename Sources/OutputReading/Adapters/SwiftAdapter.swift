/// `swift build`, `swift test`, `swift run`: `[12/345] Compiling Module File.swift`.
///
/// Ninja's manner of counting, so without its name it is taken for that. Steps before the build
/// itself (`[1/1] Planning build`, `[3/3] Compiling plug-in`) are no part of it; the first line that
/// knows the whole has the greater total, and one with a lesser total never takes it back.
struct SwiftAdapter: OutputAdapter {
    static let name = "swift"

    static func recognizes(_ command: CommandWords) -> Bool {
        command.program == "swift"
            && ["build", "test", "run", "package"].contains(command.arguments.first)
    }

    private var total: Int64 = 0

    init(for command: CommandWords) {}

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        guard let step = NinjaAdapter.sample(in: line), let all = step.total, all >= 2, all >= total
        else { return [] }
        total = all
        return [step]
    }
}
