/// A pattern as it is run.
enum PatternStep: Sendable {
    case characters(CharacterSet)
    case place(PatternPlace)
    /// Goes on at both, the first one rather.
    case split(Int, Int)
    case jump(Int)
    case save(slot: Int)
    case match
}

/// Makes steps of a pattern.
struct PatternCompiler {
    /// A line's time is this times its length.
    private static let mostSteps = 500
    /// Repetitions of nothing make no steps, but can be many.
    private static let mostVisits = 5_000

    private(set) var steps: [PatternStep] = []
    private var visits = 0

    mutating func add(_ tree: PatternTree) throws(PatternError) {
        visits += 1
        guard steps.count < Self.mostSteps, visits < Self.mostVisits else {
            throw PatternError("it is too long; write less, or repeat less.")
        }
        switch tree {
        case .characters(let set): steps.append(.characters(set))
        case .place(let place): steps.append(.place(place))
        case .sequence(let trees): for tree in trees { try add(tree) }
        case .either(let trees): try add(either: trees[...])
        case .group(let tree, let number):
            steps.append(.save(slot: number * 2))
            try add(tree)
            steps.append(.save(slot: number * 2 + 1))
        case .repeated(let tree, let least, let most, let isLazy):
            for _ in 0..<least { try add(tree) }
            if let most {
                for _ in least..<most { try add(optional: tree, isLazy) }
            } else {
                let split = steps.count
                try add(optional: tree, isLazy)
                steps.append(.jump(split))
                steps[split] = fork(to: split + 1, orPast: steps.count, isLazy)
            }
        }
    }

    private mutating func add(optional tree: PatternTree, _ isLazy: Bool) throws(PatternError) {
        let split = steps.count
        steps.append(.jump(split))
        try add(tree)
        steps[split] = fork(to: split + 1, orPast: steps.count, isLazy)
    }

    private mutating func add(either trees: ArraySlice<PatternTree>) throws(PatternError) {
        guard let first = trees.first else { return }
        guard trees.count > 1 else { return try add(first) }
        let split = steps.count
        steps.append(.jump(split))
        try add(first)
        let jump = steps.count
        steps.append(.jump(jump))
        steps[split] = .split(split + 1, steps.count)
        try add(either: trees.dropFirst())
        steps[jump] = .jump(steps.count)
    }

    private func fork(to step: Int, orPast end: Int, _ isLazy: Bool) -> PatternStep {
        isLazy ? .split(end, step) : .split(step, end)
    }
}
