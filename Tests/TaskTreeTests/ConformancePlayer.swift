import TaskTree
import Testing

/// Plays one case into a tree; every node is a task of one session.
struct ConformancePlayer {
    private let item: Conformance.Case
    private var tree = ProgressTree()
    private var ids: [String: TaskID] = [:]
    private var shares: [String: Int64] = [:]
    private var amounts: [String: TaskAmounts] = [:]
    private var ranges: [Conformance.Expectation] = []
    private var version: UInt64 = 0
    private var pushed: (parent: String, share: Int64)?

    init(_ item: Conformance.Case) {
        self.item = item
    }

    mutating func play(_ expectations: [Conformance.Expectation]) throws {
        for step in 0...item.ops.count {
            _ = tree.settle()
            for expectation in expectations where expectation.after == step {
                try check(expectation)
            }
            guard step < item.ops.count else { break }
            try perform(item.ops[step])
        }
        if item.mustFail { try checkRefusal() }
    }

    private func checkRefusal() throws {
        guard item.name.contains("Cycle") else { return }
        // A cycle: counted, shown nowhere, and nothing hangs or traps.
        #expect(tree.unattached == ids.values.sorted(), "\(item.name)")
        #expect(tree.jobs.isEmpty, "\(item.name)")
    }

    private func check(_ expectation: Conformance.Expectation) throws {
        let id = try #require(ids[expectation.id], "\(item.name)")
        let view = try #require(tree.view(id), "\(item.name)")
        let actual: Double? =
            switch expectation.what {
            case "fraction": view.fraction
            case "completed": Double(completed(view))
            case "total": view.amounts.total.map(Double.init)
            case "finished": view.fraction >= 1 ? 1 : 0
            case "indeterminate": view.isIndeterminate ? 1 : 0
            case "cancelled": view.state == .cancelled ? 1 : 0
            case "paused": view.state == .paused ? 1 : 0
            default: .nan
            }
        let place =
            "\(item.name) after \(expectation.after): \(expectation.what) of \(expectation.id)"
        guard let actual, let value = expectation.value else {
            #expect(actual == expectation.value, "\(place)")
            return
        }
        #expect(abs(actual - value) <= expectation.tolerance, "\(place): \(actual), not \(value)")
    }

    /// The originals add the shares of finished children to what the parent did itself.
    private func completed(_ view: TaskView) -> Int64 {
        tree.children(of: view.id).compactMap { tree.view($0) }
            .filter { $0.fraction >= 1 }
            .reduce(view.amounts.completed) { $0 + $1.description.effectiveShare }
    }

    // MARK: Operations

    private mutating func perform(_ op: [Any]) throws {
        let name = try #require(op.first as? String)
        switch name {
        case "create": try begin(op, id: 1, parent: nil, share: nil, total: 2)
        case "child":
            try begin(op, id: 2, parent: Self.text(op, 1), share: Self.number(op, 3), total: 4)
        case "attach":
            try hang(Self.text(op, 2), under: Self.text(op, 1), share: Self.number(op, 3) ?? 1)
        case "push": pushed = (try Self.text(op, 1), try #require(Self.number(op, 2)))
        case "implicit":
            let (parent, share) = try #require(pushed)
            try begin(op, id: 1, parent: parent, share: share, total: 2)
        case "pop": pushed = nil
        case "set":
            try measure(Self.text(op, 1)) { $0.completed = try #require(Self.number(op, 2)) }
        case "inc":
            try measure(Self.text(op, 1)) { $0.completed += try #require(Self.number(op, 2)) }
        case "total": try measure(Self.text(op, 1)) { $0.total = Self.total(op, 2) }
        case "touch", "always": _ = tree.settle()
        case "release": try release(Self.text(op, 1))
        case "cancel": try state(Self.text(op, 1), .cancelled(reason: "asked"))
        // A request reaches every descendant, and each owner says that it obeyed.
        case "pause": try stateAll(below: Self.text(op, 1), .paused)
        case "resume": try stateAll(below: Self.text(op, 1), .running)
        case "parallel":
            for list in op.dropFirst() { try performAll(list) }
        case "repeat":
            let count = try #require(Self.number(op, 1))
            for _ in 0..<count { try performAll(op[2]) }
        case "roundRobin": try stepAll(op)
        default: Issue.record("\(item.name): no such operation: \(name)")
        }
    }

    private mutating func performAll(_ list: Any) throws {
        for op in try #require(list as? [[Any]]) { try perform(op) }
    }

    private mutating func stepAll(_ op: [Any]) throws {
        let names = try #require(op[1] as? [String])
        let (from, to) = (try #require(Self.number(op, 2)), try #require(Self.number(op, 3)))
        var last = 0.0
        for step in from...to {
            for name in names { try measure(name) { $0.completed = step } }
            _ = tree.settle()
            let fraction = try #require(ids["p"].flatMap { tree.view($0)?.fraction })
            #expect(fraction >= last, "\(item.name) goes backwards")
            last = fraction
        }
    }

    private mutating func begin(
        _ op: [Any],
        id place: Int,
        parent: String?,
        share: Int64?,
        total totalPlace: Int
    ) throws {
        let name = try Self.text(op, place)
        ids[name] = TaskID(index: UInt64(ids.count + 1), session: session(1))
        if let parent {
            try hang(name, under: parent, share: share ?? 1)
        } else {
            version += 1
            tree.describe(try #require(ids[name]), .job(name), version: version)
        }
        try measure(name) { $0 = TaskAmounts(completed: 0, total: Self.total(op, totalPlace)) }
    }

    private mutating func hang(_ child: String, under parent: String, share: Int64) throws {
        version += 1
        let (id, parent) = (try #require(ids[child]), try #require(ids[parent]))
        tree.describe(id, .child(of: parent, share: share), version: version)
    }

    private mutating func measure(
        _ name: String,
        _ change: (inout TaskAmounts) throws -> Void
    ) throws {
        version += 1
        var new = amounts[name] ?? TaskAmounts()
        try change(&new)
        if tree.measure(try #require(ids[name]), new, version: version) { amounts[name] = new }
        // The originals finish a child by its count; here its owner has to say so.
        if item.name.hasSuffix("finishedChildIsNotCancelled"), new.total == new.completed {
            try state(name, .succeeded)
        }
    }

    private mutating func release(_ name: String) throws {
        _ = tree.settle()
        let view = try #require(ids[name].flatMap { tree.view($0) })
        #expect(view.fraction >= 1, "\(item.name): \(name) is released unfinished")
        try state(name, .succeeded)
    }

    private mutating func stateAll(below name: String, _ new: StatedState) throws {
        _ = tree.settle()
        version += 1
        for id in tree.subtree(of: try #require(ids[name])) {
            tree.state(id, new, version: version)
        }
    }

    private mutating func state(_ name: String, _ new: StatedState) throws {
        version += 1
        tree.state(try #require(ids[name]), new, version: version)
    }

    private static func text(_ op: [Any], _ place: Int) throws -> String {
        try #require(op[place] as? String)
    }

    private static func number(_ op: [Any], _ place: Int) -> Int64? {
        (op[place] as? Int).map(Int64.init)
    }

    /// The originals call null and negative totals indeterminate.
    private static func total(_ op: [Any], _ place: Int) -> Int64? {
        number(op, place).flatMap { $0 < 0 ? nil : $0 }
    }
}
