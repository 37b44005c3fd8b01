import BusProtocol
import TaskTree

/// What a turn wants done: some of it at once, some once the turn's journal entries are on disk.
struct Outbox {
    /// The random number of this life of the broker, in every frame; never 0.
    let epoch: UInt64
    /// To be done at once.
    var actions: [BrokerAction] = []
    /// Journal entries of this turn, to be written as one batch.
    var entries: [JournalEntry] = []
    /// What waits until that batch is on disk.
    var afterJournal = Waiting()
    /// What waits for each earlier batch that is not on disk yet, by the batch's number.
    private(set) var batches: [UInt64: Waiting] = [:]
    private var lastBatch: UInt64 = 0
    /// The last batch that is on disk; batches are written in order.
    private var writtenBatch: UInt64 = 0
    /// How many answers wait for a batch that they add nothing to.
    private var followers = 0
    /// Whether the journal cannot be written at the moment.
    var isJournalFailing = false
    /// Whether so much waits for the disk that no further rows are handed to the journal; see
    /// `journal(isFailing:…)`.
    var isJournalFull = false

    /// What waits for one batch.
    struct Waiting {
        var actions: [BrokerAction] = []
        /// Sessions whose welcome is among the actions.
        var welcomes: [SessionID] = []
        /// Requests about detached tasks that were carried out.
        var detachedAnswers: [DetachedRequestID] = []
        /// How many of the actions added no entry to the batch.
        var followers = 0

        var isEmpty: Bool { actions.isEmpty && welcomes.isEmpty && detachedAnswers.isEmpty }

        mutating func merge(_ other: Waiting) {
            actions += other.actions
            welcomes += other.welcomes
            detachedAnswers += other.detachedAnswers
        }

        /// Takes out the welcomes and the answers about detached tasks, which a failing disk does
        /// not hold back.
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
    /// The broker drops further answers. A client repeats a redemption or a hello that is not
    /// answered; a sync ends at the client's time limit.
    static let mostFollowers = 10_000

    /// Makes a batch of this turn's entries; returns what need not wait, because everything is on
    /// disk.
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

    /// Makes answers without an entry wait for the last batch, as they may rest on changes in it.
    private mutating func follow(_ waiting: Waiting) {
        guard !waiting.isEmpty, followers < Self.mostFollowers else { return }
        var last = batches[lastBatch] ?? Waiting()
        last.merge(waiting)
        last.followers += waiting.actions.count
        followers += waiting.actions.count
        batches[lastBatch] = last
    }

    /// Notes that a batch is on disk; returns what has waited for it.
    mutating func journalled(_ batch: UInt64) -> Waiting {
        writtenBatch = max(writtenBatch, batch)
        let waiting = batches.removeValue(forKey: batch) ?? Waiting()
        followers -= waiting.followers
        return waiting
    }

    /// Takes out of all batches what a failing disk does not hold back, oldest batch first.
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

    /// The action that sends a frame with this body.
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
