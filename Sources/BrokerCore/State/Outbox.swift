import BusProtocol
import TaskTree

/// What a turn wants done: at once, and once the journal has taken what the turn has changed.
struct Outbox {
    /// Random for each life of a broker, never 0: in every frame.
    let epoch: UInt64
    /// To be done at once.
    var actions: [BrokerAction] = []
    /// To be written as one batch.
    var entries: [JournalEntry] = []
    /// What that batch must be on the disk for.
    var afterJournal = Waiting()
    /// The same of batches that are not on the disk yet, by their numbers.
    private(set) var batches: [UInt64: Waiting] = [:]
    private var lastBatch: UInt64 = 0
    /// The last batch that is on the disk: they come in order.
    private var writtenBatch: UInt64 = 0
    /// Answers that wait for a batch of others.
    private var followers = 0
    /// The disk takes nothing at the moment.
    var isJournalFailing = false
    /// So much waits for the disk that rows are no longer kept for it; see `journal(isFailing:…)`.
    var isJournalFull = false

    /// What waits for one batch.
    struct Waiting {
        var actions: [BrokerAction] = []
        /// Sessions whose welcome is among the actions.
        var welcomes: [SessionID] = []
        /// Requests about detached tasks that were carried out.
        var detachedAnswers: [DetachedRequestID] = []
        /// How many of the actions had nothing of their own to be written.
        var followers = 0

        var isEmpty: Bool { actions.isEmpty && welcomes.isEmpty && detachedAnswers.isEmpty }

        mutating func merge(_ other: Waiting) {
            actions += other.actions
            welcomes += other.welcomes
            detachedAnswers += other.detachedAnswers
        }

        /// Takes out what the disk need not have taken while it takes nothing.
        mutating func takeUnwritten() -> Waiting {
            var taken = self
            taken.actions.removeAll { !$0.isWelcome }
            actions.removeAll(where: \.isWelcome)
            (welcomes, detachedAnswers) = ([], [])
            return taken
        }
    }

    /// How many answers may wait for batches that they add nothing to.
    ///
    /// The broker drops further answers. A client repeats a redemption or a hello that is not answered;
    /// a sync ends at the client's time limit.
    static let mostFollowers = 10_000

    /// Makes a batch of the entries of this turn; returns what need not wait, as all is on the disk.
    mutating func closeBatch() -> Waiting {
        let waiting = afterJournal
        afterJournal = Waiting()
        guard !entries.isEmpty else {
            guard writtenBatch < lastBatch else { return waiting }
            follow(waiting)
            return Waiting()
        }
        lastBatch += 1
        actions.append(.journal(batch: lastBatch, entries))
        entries = []
        if !waiting.isEmpty { batches[lastBatch] = waiting }
        return Waiting()
    }

    /// Has this wait for the last batch: what it says may rest on what others have changed.
    private mutating func follow(_ waiting: Waiting) {
        guard !waiting.isEmpty, followers < Self.mostFollowers else { return }
        var last = batches[lastBatch] ?? Waiting()
        last.merge(waiting)
        last.followers += waiting.actions.count
        followers += waiting.actions.count
        batches[lastBatch] = last
    }

    /// A batch is on the disk: what has waited for it.
    mutating func journalled(_ batch: UInt64) -> Waiting {
        writtenBatch = max(writtenBatch, batch)
        let waiting = batches.removeValue(forKey: batch) ?? Waiting()
        followers -= waiting.followers
        return waiting
    }

    /// Takes out what need not be on the disk while it takes nothing, oldest batch first.
    mutating func takeUnwritten() -> Waiting {
        var taken = Waiting()
        for batch in batches.keys.sorted() {
            guard var waiting = batches[batch] else { continue }
            taken.merge(waiting.takeUnwritten())
            if waiting.isEmpty { followers -= waiting.followers }
            batches[batch] = waiting.isEmpty ? nil : waiting
        }
        taken.merge(afterJournal.takeUnwritten())
        return taken
    }

    /// What sends this.
    func action(_ body: WireBrokerFrame.OneOf_Body, to route: Route) -> BrokerAction {
        var frame = WireBrokerFrame()
        frame.epoch = epoch
        frame.body = body
        return .send(route, frame)
    }

    init(epoch: UInt64) {
        self.epoch = epoch
    }

    mutating func takeActions() -> [BrokerAction] {
        defer { actions = [] }
        return actions
    }
}

extension BrokerAction {
    fileprivate var isWelcome: Bool {
        guard case .send(_, let frame) = self, case .welcome? = frame.body else { return false }
        return true
    }
}
