/// `swift build`, `swift test`, `swift run`: `[12/345] Compiling Module File.swift`.
///
/// Swift counts as ninja does, so without its name it is taken for ninja. Steps before the build
/// itself have lower totals (`[1/1] Planning build`, `[3/3] Compiling plug-in`): a line with a
/// total of one is ignored, and so is a line with a lower total than a line before it.
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
