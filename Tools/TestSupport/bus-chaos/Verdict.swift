import ProgressBus
import TaskTree

/// Compares what the bus says with what the workers have written down.
struct Verdict {
    private let ledger: Ledger
    private var shown: [TaskID: TaskSnapshot] = [:]
    /// Endings that no row shows, by the parent whose fold must have them.
    private var missing: [TaskID: StateCounts] = [:]
    private(set) var violations: [String] = []
    private(set) var comparedEndings = 0
    private(set) var comparedJobs = 0

    init(_ ledger: Ledger, _ board: Board) {
        self.ledger = ledger
        var rest = board.jobs
        while let task = rest.popLast() {
            shown[task.id] = task
            rest += task.children
        }
        compareEndings()
        compareTickets()
        compareFolds()
        compareShown()
        compareFractions()
    }

    private mutating func violated(_ sentence: String) {
        violations.append(sentence)
    }

    /// Every ending that the bus has acknowledged, or a session left in the spool, is there.
    private mutating func compareEndings() {
        for entry in ledger.entries.values where entry.isPromised {
            guard let ending = entry.ending else { continue }
            let isUncertain = ledger.isPlaceUncertain(entry.id)
            let id = ledger.shownID(of: entry.id)
            // Of several holders the broker decides which one speaks; see compareTickets.
            if entry.ticket != nil, isUncertain { continue }
            comparedEndings += 1
            if let task = shown[id] {
                guard task.state.rawValue == ending.state, (task.reason ?? "") == ending.reason
                else {
                    violated(
                        "\(id) has said \(ending.state) (\(ending.reason)) and is shown as "
                            + "\(task.state.rawValue) (\(task.reason ?? ""))"
                    )
                    continue
                }
            } else if !isUncertain {
                let isLeaf = ledger.children[entry.id] == nil
                if let parent = entry.parent, isLeaf, entry.ticket == nil, ending.state != "failed"
                {
                    missing[ledger.shownID(of: parent), default: .init()].add(ending.state)
                } else {
                    violated("\(id) has said \(ending.state) (\(ending.reason)) and is not shown")
                }
            }
        }
    }

    /// Of a ticket with several holders: a promised success stays, else one of them is shown.
    private mutating func compareTickets() {
        for (ticket, holders) in ledger.redeemers where holders.count > 1 {
            guard ledger.entries[ticket]?.isKnown == true, !ledger.isPlaceUncertain(ticket) else {
                continue
            }
            let all = holders.compactMap { ledger.entries[$0] }
            let states = Set(all.compactMap { $0.ending?.state })
            guard let task = shown[ticket] else {
                violated("the ticket \(ticket) is not shown")
                continue
            }
            // Who came while another was at work is a child of it, and shown under its own name.
            let hasSucceeded = all.contains {
                $0.isPromised && $0.ending?.state == "succeeded" && shown[$0.id] == nil
            }
            if hasSucceeded, task.state != .succeeded {
                violated(
                    "a holder of \(ticket) has said succeeded, and it is shown as "
                        + task.state.rawValue
                )
            } else if all.last?.isPromised == true, !states.contains(task.state.rawValue),
                shown[all[all.count - 1].id] == nil
            {
                violated("\(ticket) is shown as \(task.state.rawValue), which no holder has said")
            }
        }
    }

    /// What has no row is in the sums of its parent.
    private mutating func compareFolds() {
        for (parent, counts) in missing {
            guard let task = shown[parent] else {
                violated("\(parent) is not shown, and neither are ended children of it")
                continue
            }
            let folded = Self.folded(in: task)
            guard counts.succeeded > folded.succeeded || counts.cancelled > folded.cancelled else {
                continue
            }
            violated(
                "below \(parent) \(counts.succeeded) that succeeded and \(counts.cancelled) that "
                    + "were cancelled are not shown; folded are \(folded.succeeded) and "
                    + "\(folded.cancelled)"
            )
        }
    }

    /// Nothing is shown as succeeded that has not said so, and nothing as at work any more.
    private mutating func compareShown() {
        for task in shown.values where ledger.sessions.contains(task.id.session) {
            let said =
                [ledger.entries[task.id]?.ending]
                + (ledger.redeemers[task.id] ?? []).map { ledger.entries[$0]?.ending }
            if task.state == .succeeded, !said.contains(where: { $0?.state == "succeeded" }) {
                violated("\(task.id) is shown as succeeded and has never said so")
            }
            if task.state == .succeeded, task.children.contains(where: { !$0.state.isEnded }) {
                violated("\(task.id) is shown as succeeded before its children have ended")
            }
            if !task.state.isEnded, task.state != .waiting, task.counts.waiting == 0 {
                violated("\(task.id) is shown as \(task.state.rawValue) though its process is gone")
            }
            let succeeded = (ledger.children[task.id] ?? []).count {
                shown[$0] == nil && ledger.entries[$0]?.ending?.state == "succeeded"
            }
            if ledger.redeemers[task.id] == nil, Self.folded(in: task).succeeded > succeeded {
                violated("more children of \(task.id) are counted as succeeded than have said so")
            }
        }
    }

    /// Jobs of which everything has ended say exactly what their ledgers do.
    private mutating func compareFractions() {
        for job in ledger.entries.values where job.parent == nil && job.ticket == nil {
            guard ledger.isComplete(job.id) else { continue }
            comparedJobs += 1
            var rest = [job.id]
            while let id = rest.popLast() {
                rest += ledger.parts(of: id)
                guard let task = shown[id] else { continue }
                let fraction = ledger.fraction(of: id)
                if abs(task.fraction - fraction) > 1e-9 {
                    violated("the fraction of \(id) is \(task.fraction) instead of \(fraction)")
                }
                let counts = counts(below: id)
                if task.counts != counts {
                    violated("below \(id) there are \(task.counts) instead of \(counts)")
                }
            }
        }
    }

    private func counts(below id: TaskID) -> StateCounts {
        var counts = StateCounts()
        var rest = ledger.parts(of: id)
        while let part = rest.popLast() {
            rest += ledger.parts(of: part)
            counts.add(ledger.voice(of: part)?.ending?.state ?? "")
        }
        return counts
    }

    /// Of what is below a task, what neither has a row nor is below one.
    private static func folded(in task: TaskSnapshot) -> StateCounts {
        var counts = task.counts
        for child in task.children {
            counts.succeeded -= child.counts.succeeded + (child.state == .succeeded ? 1 : 0)
            counts.cancelled -= child.counts.cancelled + (child.state == .cancelled ? 1 : 0)
        }
        return counts
    }
}

extension StateCounts {
    fileprivate mutating func add(_ state: String) {
        switch state {
        case "succeeded": succeeded += 1
        case "failed": failed += 1
        case "cancelled": cancelled += 1
        default: lost += 1
        }
    }
}
