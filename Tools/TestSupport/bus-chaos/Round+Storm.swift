import Foundation
import ProcessControl

/// What happens to workers, viewers and the disk while there is chaos.
extension Round {
    /// Until the time is over or somebody interrupts it; `false` if a process cannot be started.
    func storm() async -> Bool {
        let begin = ContinuousClock.now
        let end = begin + .seconds(seconds)
        var nextTrouble = begin + .milliseconds(300)
        var nextBroker = begin + .milliseconds(1_500)
        var nextFull = begin + chance.milliseconds(2_000...max(2_001, seconds * 400))
        while .now < end, !Interruption.hasCome {
            let now = ContinuousClock.now
            guard tend(now), fillUp() else { return false }
            if now >= nextTrouble {
                troubleWorker()
                nextTrouble = now + chance.milliseconds(50...900)
            }
            if now >= nextBroker {
                troubleBroker()
                nextBroker = now + chance.milliseconds(500...6_000)
            }
            if disk != nil, roomAt == nil, now >= nextFull {
                tally.fullDisks += 1
                disk?.fill()
                roomAt = now + chance.milliseconds(1_000...6_000)
                nextFull = now + chance.milliseconds(15_000...40_000)
            }
            changeViewers(now)
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    /// Collects what has ended and lets go on what was stopped long enough.
    func tend(_ now: ContinuousClock.Instant) -> Bool {
        if let moment = roomAt, moment <= now {
            disk?.makeRoom()
            roomAt = nil
        }
        for name in place.names(in: place.spool) where name.hasSuffix(".spool") {
            if spooled.insert(name).inserted { tally.spooledFiles += 1 }
        }
        collectTickets()
        for index in workers.indices.reversed() {
            workers[index].process.goOnIfDue(now)
            if workers[index].process.endIfAny() != nil { bury(workers.remove(at: index)) }
        }
        for index in viewers.indices.reversed() {
            viewers[index].goOnIfDue(now)
            guard viewers[index].endIfAny() != nil else { continue }
            let viewer = viewers.remove(at: index)
            if viewer.hasCrashed {
                tally.violations.append("\(viewer.name) has ended by \(viewer.end, default: "")")
            }
        }
        if let hostile, hostile.endIfAny() != nil, hostile.ordered == nil {
            complain("the hostile client has ended: \(hostile.end, default: "")")
            return false
        }
        return tendBroker(now)
    }

    /// Starts workers until there are as many as there should be.
    private func fillUp() -> Bool {
        while workers.count < plan.workers {
            let isDue = tickets.first.map { $0.due <= .now } ?? false
            guard startWorker(isDue && !chance.oneIn(3) ? tickets.removeFirst() : nil) else {
                return false
            }
        }
        return true
    }

    func startWorker(_ ticket: Ticket?) -> Bool {
        tally.workers += 1
        let path = place.ledgers + "/\(tally.workers)"
        guard
            let process = start(
                "bus-chaos",
                ["work", path, place.directory, "\(chance.number(1...Int(Int32.max)))"],
                adding: ticket.map { ["PROGRESSBUS_TICKET": $0.text] } ?? [:]
            )
        else { return false }
        workers.append(Worker(process: process, ledger: path, ticket: ticket))
        return true
    }

    private func collectTickets() {
        for name in place.names(in: place.tickets) {
            let path = place.tickets + "/" + name
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            unlink(path)
            tickets.append(Ticket(text: text))
        }
    }

    /// A worker has ended: its ledger counts, and somebody else may have its ticket.
    private func bury(_ worker: Worker) {
        let isClean = worker.process.end == .exited(0)
        if !isClean, worker.process.hasCrashed || worker.process.ordered == nil {
            tally.violations.append(
                "worker \(worker.ledger) has ended by \(worker.process.end, default: "")"
            )
        }
        // At tcp there is no spool: what was not acknowledged by then is not promised.
        ledger.read(worker.ledger, leftCleanly: isClean && !plan.hasKeys)
        if !isClean, var ticket = worker.ticket {
            ticket.tries += 1
            ticket.due = .now + chance.milliseconds(0...2_000)
            // The last one is done when it is calm, so that it is done.
            tickets.append(ticket)
        }
    }

    private func troubleWorker() {
        guard !workers.isEmpty else { return }
        let process = workers[chance.number(0...workers.count - 1)].process
        if chance.oneIn(2) {
            guard process.endIfAny() == nil, process.ordered == nil else { return }
            tally.workersKilled += 1
            process.order(SIGKILL)
        } else if process.stoppedUntil == nil {
            tally.workersStopped += 1
            // Longer than 10 s: the session is lost and comes back.
            let isLong = chance.oneIn(6)
            process.stop(for: chance.milliseconds(isLong ? 11_000...14_000 : 50...3_000))
        }
    }

    /// Some read, some are stopped for a while, some never read.
    private func changeViewers(_ now: ContinuousClock.Instant) {
        for viewer in viewers where viewer.ordered == nil {
            guard let end = viewerEnds[viewer.pid], end <= now else { continue }
            viewer.order(SIGKILL)
            viewerEnds[viewer.pid] = nil
        }
        guard viewers.count < 3, chance.oneIn(40) else {
            if let viewer = viewers.randomElement(using: &chance), chance.oneIn(150),
                viewer.stoppedUntil == nil
            {
                tally.viewersStopped += 1
                viewer.stop(for: chance.milliseconds(200...6_000))
            }
            return
        }
        let options = ["watch", "--json", "--no-autostart", "--depth", "\(chance.number(0...5))"]
        let viewer =
            chance.oneIn(3)
            ? start("bus-chaos", ["deaf"]) : start("progressbus", options, output: "/dev/null")
        guard let viewer else { return }
        tally.viewers += 1
        viewerEnds[viewer.pid] = now + chance.milliseconds(500...9_000)
        viewers.append(viewer)
    }
}
