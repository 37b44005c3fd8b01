import BusProtocol
import TaskTree

/// What is due: timers, and what is looked at once a second.
extension BrokerMachine {
    mutating func runTimers(now: Moment) {
        // Very many may be due at once; the others are looked at in the next ticks.
        var looks = configuration.looksPerTick
        while let timer = clock.timers.takeDue(at: now, isLooking: looks > 0) {
            switch timer {
            case .stall(let task):
                looks -= 1
                checkStall(task, now: now)
            case .linger(let id): endLinger(of: id, now: now)
            case .neverBegun(let id): cancelNeverBegun(below: id)
            case .session(let id): checkSession(id, now: now)
            case .closing(let id): close(id, now: now)
            case .remainder(let id): judgeRemainder(of: id, now: now)
            case .command(let number): timeOut(number)
            case .processGone(let id): processGone(id, now: now)
            case .settled: endSettling(now: now)
            case .keyframe(let id): checkKeyframe(id, now: now)
            case .detached(let id): checkSilence(of: id, now: now)
            case .question(let number): giveUpQuestion(number)
            }
        }
    }

    mutating func everySecond(now: Moment) {
        logCounts()
        // Without a task no look at a stall is needed, however far away it is.
        let looks = records.count == 0 ? 0 : 2 * records.count + 1_024
        clock.timers.removeLooks(above: looks) {
            records[$0]?.isWatched == true
        }
        commands.allowance.renew()
        if !sessions.isSettling {
            for id in tree.takeNewlyUnattached() { knownTasks.unattachedSince.put(id, age: now) }
        }
        forgetOldRequests(now: now)
        watchBridge(now: now)
        loseUnheardFolds(now: now)
    }
}
