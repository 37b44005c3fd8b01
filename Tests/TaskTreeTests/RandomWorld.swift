import TaskTree
import TestSupport

/// Sessions that say random things to a tree, and an oracle that hears the same.
struct RandomWorld {
    private(set) var tree = ProgressTree()
    private(set) var oracle = Oracle()
    /// Everything said that has a version, and every binding, once.
    private(set) var sayings: [Saying] = []
    /// What the oracle has heard of, in an order that does not differ from run to run.
    private var names: [TaskID] = []
    private var random: SplitMix64
    private var version: UInt64 = 0
    private var nextIndex = Array(repeating: UInt64(1), count: 4)
    private let removes: Bool

    init(seed: UInt64, removes: Bool = true) {
        random = SplitMix64(seed: seed)
        self.removes = removes
        begin(parent: .none)
    }

    mutating func act() {
        version += 1
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: if oracle.said.count < 160 { beginSomewhere() } else { measure() }
        case 14..<19: redeem()
        case 19..<60: measure()
        case 60..<74: state()
        case 74..<82: redescribe()
        case 82..<87: infer()
        case 87..<89: silence()
        case 89..<95: repeatStale()
        case 95..<97: if removes { forgetOne() }
        case 97..<98: if removes { removeOne() }
        default: detail()
        }
    }

    mutating func settle() {
        _ = tree.settle()
        oracle.evaluate()
    }

    // MARK: What can happen

    private mutating func say(_ saying: Saying) {
        sayings.append(saying)
        tree.hear(saying)
    }

    private mutating func anyTask() -> TaskID? {
        names.randomElement(using: &random)
    }

    private mutating func beginSomewhere() {
        if random.oneIn(12) {
            begin(parent: .none)
        } else if random.oneIn(20) {
            // A parent nobody has described yet.
            let number = Int.random(in: 0..<4, using: &random)
            begin(parent: .task(task(Int(nextIndex[number]) + 1, of: number + 1)))
        } else if let parent = anyTask() {
            begin(parent: .task(parent))
        }
    }

    private mutating func begin(parent: ParentLink) {
        let number = Int.random(in: 0..<4, using: &random)
        let id = TaskID(index: nextIndex[number], session: session(number + 1))
        nextIndex[number] += 1
        var description = TaskDescription(parent: parent, title: "t\(id.index)")
        if case .task = parent { description.isTicket = random.oneIn(5) }
        vary(&description)
        describe(id, description)
    }

    private mutating func vary(_ description: inout TaskDescription) {
        description.share = random.oneIn(3) ? Int64.random(in: 0...12, using: &random) : nil
        description.options.isBackground = random.oneIn(10)
        description.options.expectedChildren =
            random.oneIn(4) ? Int.random(in: 0...9, using: &random) : nil
        description.unit = ["", "", "bytes", "items"].randomElement(using: &random) ?? ""
    }

    private mutating func describe(_ id: TaskID, _ description: TaskDescription) {
        say(.describe(id, description, version))
        if oracle.said[id] == nil { names.append(id) }
        oracle.said[id, default: Oracle.Said()].description = description
        heard(id)
    }

    /// Words withdraw the conclusion that their owner is lost, no other.
    private mutating func heard(_ id: TaskID) {
        if case .lost = oracle.inferences[id] { oracle.inferences[id] = nil }
    }

    private mutating func redeem() {
        let tickets = oracle.said.filter { $0.value.description?.isTicket == true }.keys.sorted()
        guard let ticket = tickets.randomElement(using: &random) else { return }
        let number = Int.random(in: 0..<4, using: &random)
        let id = TaskID(index: nextIndex[number], session: session(number + 1))
        nextIndex[number] += 1
        var description = TaskDescription.redeemer(of: ticket)
        vary(&description)
        describe(id, description)
        let attempts = oracle.bindings.values.compactMap { binding -> UInt32? in
            if case .holder(ticket, let attempt) = binding { attempt } else { nil }
        }
        let binding: Binding
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3: binding = .holder(of: ticket, attempt: (attempts.max() ?? 0) + 1)
        case 3..<5: binding = .child(of: ticket)
        default: binding = .inert
        }
        say(.bind(id, binding))
        oracle.bindings[id] = binding
    }

    private mutating func measure() {
        guard let id = anyTask() else { return }
        let totals: [Int64?] = [nil, nil, 0, 1, 2, 3, 4, 5, 7, 9, 10, 12, 60, 1 << 40]
        let total = totals.randomElement(using: &random) ?? nil
        let most = min(max((total ?? 5) + 2, 3), 1 << 40)
        let amounts = TaskAmounts(completed: .random(in: 0...most, using: &random), total: total)
        say(.measure(id, amounts, version))
        oracle.said[id]?.amounts = amounts
        heard(id)
    }

    private mutating func state() {
        guard let id = anyTask() else { return }
        let states: [StatedState] = [
            .running, .running, .paused, .succeeded, .succeeded, .succeeded,
            .failed(reason: "r\(version)"), .cancelled(reason: "asked"),
        ]
        let state = states.randomElement(using: &random) ?? .running
        say(.state(id, state, version))
        oracle.said[id]?.state = state
        heard(id)
    }

    private mutating func redescribe() {
        guard let id = anyTask(), var description = oracle.said[id]?.description else { return }
        vary(&description)
        describe(id, description)
    }

    private mutating func detail() {
        guard let id = anyTask() else { return }
        say(.detail(id, "d\(version)", version))
        heard(id)
    }

    private mutating func infer() {
        guard removes, let id = anyTask() else { return }
        let inferences: [Inference?] = [
            .lost(reason: "gone"), .cancelled(reason: "never begun"), nil,
        ]
        let inference = inferences.randomElement(using: &random) ?? nil
        tree.infer(inference, about: id)
        oracle.inferences[id] = inference
    }

    private mutating func silence() {
        guard removes else { return }
        let id = session(Int.random(in: 1...4, using: &random))
        guard oracle.said.keys.contains(where: { $0.session == id }) else { return }
        let isSilent = Bool.random(using: &random)
        tree.silence(id, isSilent)
        if isSilent { oracle.silent.insert(id) } else { oracle.silent.remove(id) }
    }

    /// Something older comes again; only about tasks that are still there.
    private mutating func repeatStale() {
        guard !removes, let saying = sayings.randomElement(using: &random), !saying.isDecision
        else { return }
        tree.hear(saying)
    }

    private mutating func forgetOne() {
        guard let id = anyTask(), random.oneIn(4) else { return }
        tree.forget(id)
        remove([id])
    }

    private mutating func removeOne() {
        guard let job = tree.jobs.randomElement(using: &random) else { return }
        var gone = tree.removeJob(job, most: Int.random(in: 0...3, using: &random))
        while tree.isLeaving(job) {
            if random.oneIn(3) { _ = tree.settle() }
            gone += tree.removeJob(job, most: 2)
        }
        remove(gone)
    }

    private mutating func remove(_ ids: [TaskID]) {
        names.removeAll { ids.contains($0) }
        for id in ids {
            oracle.said[id] = nil
            oracle.bindings[id] = nil
            oracle.inferences[id] = nil
        }
        // A session without records is unknown again, unless it was called silent.
        for id in ids where !oracle.said.keys.contains(where: { $0.session == id.session }) {
            tree.silence(id.session, false)
            oracle.silent.remove(id.session)
        }
    }
}
