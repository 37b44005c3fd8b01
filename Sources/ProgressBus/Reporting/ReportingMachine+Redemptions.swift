import BusProtocol
import TaskTree

/// What the broker says of tickets that this session redeems.
extension ReportingMachine {
    /// The next redemption to send, for the first time or again.
    mutating func nextRedeem(at now: Moment) -> WireRedeem? {
        guard let (index, _) = unanswered.first(where: { now >= $1 }) else { return nil }
        unanswered[index] = now.later(by: Redemption.patience)
        return redemptions[index]?.wire(index)
    }

    /// What the broker has decided about the redeemer of a ticket.
    mutating func bound(_ binding: WireBinding) {
        let index = binding.index
        guard redemptions[index] != nil else { return }
        switch binding.kind {
        case .holder, .child, .inert: break
        // A kind of a newer minor version is no answer.
        case .unknown, .UNRECOGNIZED: return
        }
        redemptions[index]?.known = binding
        unanswered[index] = nil
        guard binding.kind == .inert else { return settle(index) }
        ticketUsed(index)
    }

    /// Warns that a ticket cannot be used, and forgets the task that redeems it.
    ///
    /// Only the broker knows why: as a rule its refusal, with the reason, comes before the binding,
    /// which then finds no redemption and adds nothing.
    mutating func ticketUsed(_ index: UInt64, because sentence: String = "") {
        guard let title = tasks[index]?.title else { return }
        let words = "This attempt is shown nowhere. Make a new ticket for new work."
        warn(
            "The ticket for \"\(title)\" cannot be used: \(sentence.isEmpty ? words : sentence)"
        )
        forget(index)
    }

    /// Warns of a redemption that the broker refused, once for each task and code.
    mutating func redemptionRefused(_ code: RefusalCode, _ refusal: WireRefusal) {
        let index = refusal.index
        guard let record = tasks[index],
            redemptions[index]?.refusals.insert(code).inserted == true
        else { return }
        warn("The broker about \"\(record.title)\" (\(code.name)): \(refusal.sentence)")
        // Another redeemer does this work now. Number 0: no viewer waits for an answer.
        guard code == .superseded, requests.deliveries.count < Requests.limit,
            let plan = plan(.cancel, [index], number: 0)
        else { return }
        requests.deliveries.insert(plan, at: 0)
    }
}
