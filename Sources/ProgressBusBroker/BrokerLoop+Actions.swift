import BrokerCore
import BrokerJournal
import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// Carries out what the machine decides.
extension BrokerLoop {
    /// Carries out the actions in order, and those that follow from them.
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

    /// Sends a frame; without room, queues an answer to a command and drops any other frame.
    ///
    /// False if the client is gone.
    private mutating func send(
        _ frame: WireBrokerFrame,
        to route: Route
    ) throws(ZeroMQError) -> Bool {
        let bytes = Frame.encode(sayingNextKey(frame))
        guard fits(bytes) else { return true }
        let isAnswer = if case .commandResult = frame.body { true } else { false }
        do {
            // Answers keep their order: the viewer stops waiting at the one marked as the last.
            let mustQueue = isAnswer && answers.isWaiting(for: route)
            if !mustQueue, try control.send([route.bytes, bytes]) { return true }
            if !isAnswer || !answers.add(bytes, for: route) { counters.congested += 1 }
            return true
        } catch  where error.code == ZeroMQError.hostUnreachable {
            counters.unreachable += 1
            return false
        }
    }

    /// Sends the queued answers for which there is room now.
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
        // Never refused: an XPUB drops the update for a viewer that does not keep up, and that
        // viewer sees the gap.
        _ = try updates.send([Array(topic.utf8), bytes])
    }

    /// Whether a frame is within the limit: a larger one would cut its receiver's connection.
    private mutating func fits(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > ProtocolLimits.frameBytes else { return true }
        counters.oversized += 1
        return false
    }
}

/// What the loop had to drop, since it began.
struct LoopCounters: Equatable {
    /// Frames for clients that do not read.
    var congested: UInt64 = 0
    /// Frames for clients that were gone.
    var unreachable: UInt64 = 0
    /// Frames larger than the protocol allows: a fault of the broker.
    var oversized: UInt64 = 0
}

extension BrokerLoop {
    /// Seconds between two lines about what was dropped.
    private static let reportEvery = 10.0

    /// Logs the counters if they have grown since the last time: every ten seconds at most, and at
    /// the end.
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
