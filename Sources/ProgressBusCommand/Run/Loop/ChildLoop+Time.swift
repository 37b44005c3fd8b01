import OutputReading
import ProgressBus
import TaskTree

/// What the loop does at certain times: ticks, rests of streams, checks, and the end of a grace.
extension ChildLoop {
    /// Milliseconds until something is due; -1 for nothing.
    mutating func timeout() -> Int32 {
        let isCollecting = running.contains { command in
            command.end != nil && command.streams.contains(where: \.isWanted)
        }
        if isCollecting { return 0 }
        let now = Moment.present
        if nextLook == nil, let interval = lookInterval {
            nextLook = now.advanced(bySeconds: interval)
        }
        let times =
            [nextTick, nextLook] + running.map(\.machine.deadline)
            + running.flatMap { $0.streams.map(\.restsUntil) }
        guard let earliest = times.compactMap({ $0 }).min() else { return -1 }
        return Int32(max(0, min(earliest.seconds(since: now) * 1_000 + 1, 60_000)))
    }

    /// The seconds between checks for changes that cause no event for poll(2); nil for no checks.
    private var lookInterval: Double? {
        if running.contains(where: { $0.end != nil && $0.machine.deadline != nil }) {
            return Self.clearingInterval
        }
        let isAway = keyboard?.isTaken == false
        return isAway && running.contains { $0.end == nil } ? Self.foregroundInterval : nil
    }

    /// Does what has become due.
    mutating func passTime() {
        let now = Moment.present
        for command in running {
            carryOut(command.machine.passed(now), on: command)
            for index in command.streams.indices {
                guard let until = command.streams[index].restsUntil, now >= until else { continue }
                command.streams[index].restsUntil = nil
            }
        }
        if let nextTick, now >= nextTick { tellTick() }
        if let nextLook, now >= nextLook {
            self.nextLook = nil
            if !isSuspending, running.contains(where: { $0.end == nil }) {
                keyboard?.takeIfForeground()
                // Only a process in the foreground is told that the terminal has another size.
                for command in running { command.resize() }
            }
        }
    }

    mutating func wantTick() {
        let soon = Moment.present.advanced(bySeconds: Self.tick)
        nextTick = min(nextTick ?? soon, soon)
    }

    /// Tells the bus what was found out since the last tick.
    mutating func tellTick() {
        nextTick = nil
        // The bus shows the commands as stopped; nothing that is said now may change that.
        guard !isSuspending else { return }
        let now = Moment.present
        for command in running { command.tell(at: now) }
        if !isWatchingReports, running.contains(where: \.task.hasRead) {
            isWatchingReports = true
            bus.watchReports()
        }
        if running.contains(where: { $0.end == nil && $0.reader?.awaitsTime == true }) {
            nextTick = now.advanced(bySeconds: Self.slowTick)
        }
    }
}
