import Foundation
import TaskTree

/// What all workers of a round have written down: what is true of each task.
struct Ledger {
    struct Ending: Equatable {
        var state: String
        var reason: String
    }

    struct Entry {
        var id: TaskID
        var parent: TaskID?
        var total: Int64?
        var share: Int64
        var expected: Int64?
        var completed: Int64 = 0
        var ending: Ending?
        /// Whether the bus must show the ending: it was acknowledged, or left in the spool.
        var isPromised = false
        /// The ticket that it redeems.
        var ticket: TaskID?
        var isTicket = false
        /// Of a ticket: whether the bus must know it.
        var isKnown = false
        /// Of a redemption: whether the broker has ever known its session.
        var isWelcomed = false
    }

    private(set) var entries: [TaskID: Entry] = [:]
    private(set) var children: [TaskID: [TaskID]] = [:]
    /// Who redeemed a ticket, in the order of the processes' ends.
    private(set) var redeemers: [TaskID: [TaskID]] = [:]
    private(set) var sessions: Set<SessionID> = []
    private(set) var endings = 0
    private(set) var acknowledgements = 0

    /// Takes in the file of a process that has ended.
    ///
    /// Of one that ended by itself, everything it could not say must be in the spool, if it was ever
    /// welcomed.
    mutating func read(_ path: String, leftCleanly: Bool) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
        var own: [TaskID] = []
        var isWelcomed = false
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            switch words[0] {
            case "acked", "closed":
                guard words[0] == "acked" || words.last == "true" else { continue }
                isWelcomed = true
                promise(own)
            case "welcomed": isWelcomed = true
            case "session": if let id = SessionID(words[1]) { sessions.insert(id) }
            default: take(String(line), &own)
            }
        }
        for id in own { entries[id]?.isWelcomed = isWelcomed }
        if leftCleanly && isWelcomed { promise(own) }
    }

    private mutating func promise(_ own: [TaskID]) {
        for id in own {
            guard var entry = entries[id] else { continue }
            entry.isKnown = true
            if entry.ending != nil, !entry.isPromised {
                entry.isPromised = true
                acknowledgements += 1
            }
            entries[id] = entry
        }
    }

    private mutating func take(_ line: String, _ own: inout [TaskID]) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 2, let id = TaskID(words[1]) else { return }
        switch words[0] {
        case "begin" where words.count == 6:
            var entry = Entry(id: id, parent: TaskID(words[2]), share: Int64(words[4]) ?? 1)
            entry.total = Int64(words[3])
            entry.expected = Int64(words[5])
            add(entry, &own)
        case "ticket" where words.count == 4:
            var entry = Entry(id: id, parent: TaskID(words[2]), share: Int64(words[3]) ?? 1)
            entry.isTicket = true
            add(entry, &own)
        case "redeem" where words.count == 4:
            guard let ticket = TaskID(words[2]) else { return }
            var entry = Entry(id: id, share: 1)
            entry.total = Int64(words[3])
            entry.ticket = ticket
            redeemers[ticket, default: []].append(id)
            add(entry, &own)
        case "amount": entries[id]?.completed = Int64(words[2]) ?? 0
        case "end":
            entries[id]?.ending = Ending(
                state: words[2],
                reason: words.dropFirst(3).joined(separator: " ")
            )
            endings += 1
        default: break
        }
    }

    private mutating func add(_ entry: Entry, _ own: inout [TaskID]) {
        entries[entry.id] = entry
        own.append(entry.id)
        if let parent = entry.parent { children[parent, default: []].append(entry.id) }
    }
}

extension Ledger {
    /// The task whose words count for an entry: of a ticket, whoever has redeemed it, if that is
    /// one alone.
    func voice(of id: TaskID) -> Entry? {
        guard let entry = entries[id] else { return nil }
        guard entry.isTicket else { return entry }
        guard let all = redeemers[id], all.count == 1 else { return nil }
        return entries[all[0]]
    }

    /// Tickets that nobody has redeemed of whom the bus has heard.
    var unredeemedTickets: [TaskID] {
        let tickets = entries.values.filter { entry in
            entry.isTicket
                && !(redeemers[entry.id] ?? []).contains { entries[$0]?.isWelcomed == true }
        }
        return tickets.map(\.id).sorted()
    }

    /// Under which id the bus shows a task.
    func shownID(of id: TaskID) -> TaskID { entries[id]?.ticket ?? id }

    /// What counts below a shown task.
    func parts(of id: TaskID) -> [TaskID] {
        guard let voice = voice(of: id) else { return [] }
        return children[voice.id] ?? []
    }

    /// Whether everything from here down has ended, in words that the bus must know.
    func isComplete(_ id: TaskID) -> Bool {
        guard let entry = entries[id], let voice = voice(of: id), voice.isPromised,
            !entry.isTicket || entry.isKnown
        else { return false }
        return parts(of: id).allSatisfy(isComplete)
    }

    /// Whether what is above a task and in other sessions may be unknown to the bus, or a ticket
    /// was redeemed more than once, so that only the bus knows where the task belongs.
    func isPlaceUncertain(_ id: TaskID) -> Bool {
        var next: TaskID? = id
        while let here = next, let entry = entries[here] {
            if let ticket = entry.ticket {
                guard entries[ticket]?.isKnown == true, redeemers[ticket]?.count == 1 else {
                    return true
                }
                next = ticket
            } else {
                next = entry.parent
            }
        }
        return next != nil
    }

    /// The fraction as the documentation defines it, in floating point.
    func fraction(of id: TaskID) -> Double {
        guard let entry = voice(of: id) else { return 0 }
        if entry.ending?.state == "succeeded" { return 1 }
        let parts = parts(of: id)
        let shares = parts.map { Double(entries[$0]?.share ?? 1) }
        let done = zip(parts, shares).reduce(0.0) { $0 + $1.1 * min(1, fraction(of: $1.0)) }
        if let total = entry.total {
            return total == 0 ? 1 : (Double(entry.completed) + done) / Double(total)
        }
        guard !parts.isEmpty else { return 0 }
        let unbegun = max(0, (entry.expected ?? 0) - Int64(parts.count))
        let whole = shares.reduce(0, +) + Double(unbegun)
        return whole > 0 ? done / whole : 0
    }
}
