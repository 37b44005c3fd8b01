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
            let worker = workers[index]
            // What has lost its connection is still at work for a while.
            if worker.process.endIfAny() != nil, !LedgerFile.isInUse(worker.ledger) {
                bury(workers.remove(at: index))
            }
        }
        for index in viewers.indices.reversed() {
            viewers[index].goOnIfDue(now)
            guard viewers[index].endIfAny() != nil else { continue }
            let viewer = viewers.remove(at: index)
            if viewer.hasCrashed {
                tally.violations.append(viewer.lastWords)
            }
        }
        if let hostile, hostile.endIfAny() != nil, hostile.ordered == nil {
            // What it sends may be too much for the sockets of its own process.
            complain(hostile.lastWords)
            countHostileFrames()
            startHostile()
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
        let words = ["work", path, place.directory, "\(chance.number(1...Int(Int32.max)))"]
        let variables = ticket.map { ["PROGRESSBUS_TICKET": $0.text] } ?? [:]
        let isRemote = far != nil && tally.workers % 2 == 0
        guard
            let process = isRemote
                ? startRemote(words, adding: variables)
                : start("bus-chaos", words, adding: variables)
        else { return false }
        workers.append(Worker(process: process, ledger: path, ticket: ticket, isRemote: isRemote))
        return true
    }

    /// Starts a worker through ssh, which reports by the connection; where the bus has keys, every other
    /// one shows one there itself.
    private func startRemote(_ words: [String], adding variables: [String: String]) -> ChildProcess?
    {
        tally.remoteWorkers += 1
        var variables = variables
        if plan.hasKeys, tally.remoteWorkers % 2 == 0 {
            variables["PROGRESSBUS_ENDPOINT"] = place.endpoint
            variables["XDG_CONFIG_HOME"] = place.configuration
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        let assignments = variables.map { "\($0.key)=\($0.value)" }.sorted()
        return start(
            "progressbus",
            ["ssh", "--no-autostart", "--title", "Worker \(tally.workers)", "far", "--", "env"]
                + assignments
                + [ChaosPlan.programs + "/bus-chaos"] + words,
            adding: ["PATH": (far?.programs ?? "") + ":/usr/bin:/bin"]
        )
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
            tally.violations.append("\(worker.ledger): \(worker.process.lastWords)")
        }
        // Neither at tcp nor on another machine is there a spool that the broker reads: what was not
        // acknowledged by then is not promised.
        let hasSpool = !plan.hasKeys && !worker.isRemote
        ledger.read(worker.ledger, leftCleanly: isClean && hasSpool)
        if !isClean, var ticket = worker.ticket {
            ticket.tries += 1
            ticket.due = .now + chance.milliseconds(0...2_000)
            // The last one is done when it is calm, so that it is done.
            tickets.append(ticket)
        }
    }

    private func troubleWorker() {
        guard !workers.isEmpty else { return }
        let worker = workers[chance.number(0...workers.count - 1)]
        let process = worker.process
        if chance.oneIn(2) {
            guard process.endIfAny() == nil, process.ordered == nil else { return }
            // One that has not begun yet might do so when nobody looks any more.
            guard !worker.isRemote || LedgerFile.isInUse(worker.ledger) else { return }
            // Of a remote one, progressbus here, its ssh, or what minds that.
            let others = worker.isRemote ? ProcessTree.descendants(of: process.pid) : []
            tally.workersKilled += 1
            process.order(SIGKILL, to: ([process.pid] + others).randomElement(using: &chance))
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
