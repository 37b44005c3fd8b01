/// The names a script has given to its tasks: what each line may refer to.
///
/// The name of a task is free again when the task has ended, so that a script may begin any number
/// of tasks. At most `limit` tasks may run at a time.
struct ReportNames: Sendable {
    /// The task begun for the program itself, if there is one.
    static let root = "root"
    /// How many tasks of one script may run at a time.
    static let limit = 100_000
    private static let longestName = 200

    /// Open tasks in the order of their begin.
    private var order: [String: Int] = [:]
    private var next = 0
    let hasRoot: Bool

    init(hasRoot: Bool) {
        self.hasRoot = hasRoot
        if hasRoot { add(Self.root) }
    }

    /// Tasks that have begun and not ended, the youngest first, so that children precede parents.
    var openTasks: [String] {
        order.sorted { $0.value > $1.value }.map(\.key)
    }

    /// Accepts an operation, with the default parent filled in, and remembers what it names.
    ///
    /// A refused operation changes nothing.
    mutating func accept(
        _ operation: ReportOperation
    ) throws(ReportLineError) -> ReportOperation {
        switch operation {
        case .begin(var begin):
            begin.parent = begin.parent ?? (hasRoot ? Self.root : nil)
            if let parent = begin.parent { try requireOpen(parent) }
            try requireFree(begin.id)
            add(begin.id)
            return .begin(begin)
        case .redeem(let redeem):
            try requireFree(redeem.id)
            add(redeem.id)
        case .end(let id, _, _):
            try requireOpen(id)
            order[id] = nil
        case .ticket(let ticket):
            try requireOpen(ticket.parent)
        case .update(let update):
            try requireOpen(update.id)
        case .advance(let id, _), .log(let id, _):
            try requireOpen(id)
        case .sync:
            break
        }
        return operation
    }

    private mutating func add(_ id: String) {
        order[id] = next
        next += 1
    }

    private func requireOpen(_ id: String) throws(ReportLineError) {
        guard order[id] == nil else { return }
        throw ReportLineError(
            "no task \"\(id)\" runs: it was never begun, or it has ended; begin it first"
        )
    }

    private func requireFree(_ id: String) throws(ReportLineError) {
        guard order[id] == nil else {
            throw ReportLineError("\"\(id)\" runs already; choose another id or end it first")
        }
        guard !id.isEmpty, id.utf8.count <= Self.longestName else {
            throw ReportLineError("an id must have 1 to \(Self.longestName) bytes")
        }
        guard order.count < Self.limit else {
            throw ReportLineError("\(Self.limit) tasks run already; end some first")
        }
    }
}
