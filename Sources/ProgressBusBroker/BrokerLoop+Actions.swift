import BrokerCore
import BrokerJournal
import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// What the machine wants done.
extension BrokerLoop {
    /// Does everything in order, and what follows from it.
    mutating func perform(_ actions: [BrokerAction]) throws(ZeroMQError) {
        var actions = actions
        var next = 0
        while next < actions.count {
            switch actions[next] {
            case .send(let route, let frame):
                if try !send(frame, to: route) {
                    actions += machine.unreachable(route, now: Clocks.now)
                }
            case .publish(let topic, let update):
                killSwitch.pass(.beforePublication)
                try publish(update, under: topic)
                killSwitch.pass(.afterPublication)
            case .journal(let batch, let entries):
                killSwitch.pass(.beforeJournal)
                journal.submit(batch: batch, entries)
                killSwitch.pass(.whileJournalling)
            case .spooled(let file, let decision):
                spool?.decided(decision, file: file)
            case .watch(let session, let process):
                for unwatched in processes.add(session, process, now: Clocks.now) {
                    machine.processUnwatched(unwatched.session, unwatched.process)
                }
            case .examine(let session, let process):
                let status = ProcessFile.status(of: process.pid)
                let isStopped = status?.startTime == process.startTime && status?.isStopped == true
                machine.processExamined(session, process, isStopped: isStopped)
            case .unwatch(let session):
                processes.remove(session)
            case .log(let level, let text, let fields):
                logger.log(
                    level: Logger.Level(rawValue: level.rawValue) ?? .info,
                    "\(text)",
                    metadata: fields.mapValues { .string($0) }
                )
            }
            next += 1
        }
    }

    /// Sends or drops; false if nobody is at the other end any more.
    private mutating func send(
        _ frame: WireBrokerFrame,
        to route: Route
    ) throws(ZeroMQError) -> Bool {
        let bytes = Frame.encode(sayingNextKey(frame))
        guard fits(bytes) else { return true }
        let isAnswer = if case .commandResult = frame.body { true } else { false }
        do {
            // One after the other: the last of them ends the waiting for more.
            let mustQueue = isAnswer && answers.isWaiting(for: route)
            if !mustQueue, try control.send([route.bytes, bytes]) { return true }
            if !isAnswer || !answers.add(bytes, for: route) { counters.congested += 1 }
            return true
        } catch  where error.code == ZeroMQError.hostUnreachable {
            counters.unreachable += 1
            return false
        }
    }

    /// Sends what waits for room, as far as there is some now.
    mutating func sendWaitingAnswers() throws(ZeroMQError) {
        for route in answers.routes {
            do {
                while let bytes = answers.next(for: route),
                    try control.send([route.bytes, bytes])
                {
                    answers.removeNext(for: route)
                }
            } catch  where error.code == ZeroMQError.hostUnreachable {
                counters.unreachable += 1
                answers.forget(route)
                try perform(machine.unreachable(route, now: Clocks.now))
            }
        }
    }

    private mutating func publish(
        _ update: WireUpdate,
        under topic: String
    ) throws(ZeroMQError) {
        let bytes = Frame.encode(update)
        guard fits(bytes) else { return }
        // Never refused: an XPUB drops for those who do not keep up, and they see the gap.
        _ = try updates.send([Array(topic.utf8), bytes])
    }

    /// A frame above the limit would cut the connection of whoever receives it.
    private mutating func fits(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > ProtocolLimits.frameBytes else { return true }
        counters.oversized += 1
        return false
    }
}

/// What the loop had to drop, since it began.
struct LoopCounters: Equatable {
    /// Answers to clients that do not read theirs.
    var congested: UInt64 = 0
    /// Answers to clients that were gone.
    var unreachable: UInt64 = 0
    /// Frames that the protocol's limit does not allow: a fault of ours.
    var oversized: UInt64 = 0
}

extension BrokerLoop {
    /// Seconds between two lines about what was dropped.
    private static let reportEvery = 10.0

    /// Says what was dropped if more was since the last time, at the end or every ten seconds.
    mutating func logDropped(now: Moment, isLast: Bool = false) {
        guard counters != logged.counters,
            isLast || now.seconds(since: logged.at) >= Self.reportEvery
        else { return }
        let isOurFault = counters.oversized > logged.counters.oversized
        logged.counters = counters
        logged.at = now
        logger.log(
            level: isOurFault ? .error : .info,
            "messages were dropped",
            metadata: [
                "congested": "\(counters.congested)", "unreachable": "\(counters.unreachable)",
                "oversized": "\(counters.oversized)",
            ]
        )
    }
}
