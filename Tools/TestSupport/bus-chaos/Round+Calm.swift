import BusProtocol
import Foundation
import ProgressBus
import TaskTree

/// How a round ends: everybody finishes, then the bus is asked.
extension Round {
    /// Until nobody works and the spool is empty; `false` if a process cannot be started.
    func calm() async -> Bool {
        _ = FileManager.default.createFile(atPath: place.calm, contents: nil)
        hostile?.order(SIGKILL)
        countHostileFrames()
        let end = ContinuousClock.now + .seconds(90)
        for process in workers.map(\.process) + viewers + [broker].compactMap(\.self)
        where process.stoppedUntil != nil {
            process.stoppedUntil = .now
        }
        for viewer in viewers { viewer.order(SIGKILL) }
        roomAt = roomAt == nil ? nil : .now
        brokerDue = min(brokerDue, .now)
        while .now < end, !Interruption.hasCome {
            guard tend(.now) else { return false }
            // What a killed holder has left undone, and what nobody has begun.
            while workers.count < plan.workers, let ticket = tickets.first, ticket.due <= .now {
                tickets.removeFirst()
                guard startWorker(ticket) else { return false }
            }
            if workers.isEmpty, tickets.isEmpty { findTickets() }
            let isSpoolEmpty = !place.names(in: place.spool).contains { $0.hasSuffix(".spool") }
            if workers.isEmpty, tickets.isEmpty, place.names(in: place.tickets).isEmpty,
                isSpoolEmpty, broker != nil
            {
                return true
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
        guard !Interruption.hasCome else { return true }
        tally.violations.append(
            "90 s after the load there are \(workers.count) workers, \(tickets.count) tickets and "
                + "in the spool \(place.names(in: place.spool))"
        )
        return true
    }

    /// Tickets whose issuer was killed before it gave them away, or whose holder has come and gone
    /// while there was no broker: without another each would wait for a minute.
    private func findTickets() {
        for id in ledger.unredeemedTickets where found.insert(id).inserted {
            tickets.append(Ticket(text: ProgressTicket(task: id).text))
        }
    }

    /// Compares now, and once more after the broker was killed and has come back from its journal.
    func judge() async {
        guard tally.violations.isEmpty, !Interruption.hasCome else { return }
        tally.endings += ledger.endings
        tally.promised += ledger.acknowledgements
        for life in ["", "after another restart: "] {
            guard let verdict = await settledVerdict() else {
                if !Interruption.hasCome {
                    tally.violations.append("\(life)the broker gives no status within 90 s")
                }
                return
            }
            if life.isEmpty {
                tally.compared += verdict.comparedEndings
                tally.jobs += verdict.comparedJobs
                judgeMemory()
            }
            tally.violations += verdict.violations.map { life + $0 }
            guard life.isEmpty, verdict.violations.isEmpty else { break }
            killBroker()
            guard startBroker() else { return }
        }
        killBroker()
    }

    /// The verdict once it is clean, else the last one: what is on its way arrives within seconds.
    private func settledVerdict() async -> Verdict? {
        let follower = BusFollower(BusConfiguration(endpoint: place.endpoint))
        // Longer than the minute that a ticket is given whose redemption was lost with a broker.
        let end = ContinuousClock.now + .seconds(90)
        var last: Verdict?
        while .now < end, !Interruption.hasCome {
            guard tend(.now) else { return last }
            if let board = try? await follower.status(timeout: .seconds(20)),
                board.broker?.isSettling == false
            {
                let verdict = Verdict(ledger, board)
                last = verdict
                if verdict.violations.isEmpty { break }
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
        return last
    }

    private func judgeMemory() {
        let memory = broker?.memory("VmRSS") ?? 0
        tally.lastMemory = max(tally.lastMemory, memory)
        tally.peakMemory = max(tally.peakMemory, broker?.memory("VmHWM") ?? 0)
        if memory > ChaosPlan.brokerMemory * 1_024 {
            tally.violations.append(
                "the broker has \(memory / 1_024) MiB in use at the end, more than "
                    + "\(ChaosPlan.brokerMemory)"
            )
        }
    }
}
