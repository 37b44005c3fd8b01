import Foundation
import ProcessControl

/// The broker, which is killed, stopped and started again; any other end is a violation.
extension Round {
    func startBroker() -> Bool {
        tally.brokers += 1
        broker = start(
            "progressbus",
            [
                "broker", "--linger", "86400", "--limit", "ended-jobs-kept=1000000", "--log-level",
                "debug",
                "--idle-exit", "600",
            ]
                + (place.port.map {
                    ["--endpoint", "tcp://127.0.0.1:\($0)", "--bus", ChaosPlace.bus]
                } ?? []),
            output: brokerLog
        )
        return broker != nil
    }

    /// Where the bus has keys, the first broker makes those that everybody shows.
    func makeKeys() async -> Bool {
        guard plan.hasKeys else { return true }
        guard startBroker() else { return false }
        let end = ContinuousClock.now + .seconds(20)
        while access(place.membership, F_OK) != 0 {
            guard .now < end else {
                complain("the broker has made no keys: \(brokerLog)")
                return false
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    private var brokerLog: String { place.directory + "/broker.\(tally.brokers).log" }

    /// Looks whether it has ended, and starts the next one when it is time.
    func tendBroker(_ now: ContinuousClock.Instant) -> Bool {
        if let broker {
            tally.peakMemory = max(tally.peakMemory, broker.memory("VmHWM"))
            broker.goOnIfDue(now)
            guard let end = broker.endIfAny() else { return true }
            judgeEnd(of: broker, end)
            self.broker = nil
        }
        return now < brokerDue || startBroker()
    }

    /// Does one of the things that happen to a broker.
    func troubleBroker() {
        guard let broker, broker.endIfAny() == nil, broker.ordered == nil else { return }
        switch chance.number(0...9) {
        case 0...4:
            tally.brokersKilled += 1
            broker.order(SIGKILL)
            brokerDue = .now + chance.milliseconds(0...3_000)
        case 5:
            broker.order(SIGTERM)
            brokerDue = .now + chance.milliseconds(0...3_000)
        default:
            tally.brokersStopped += 1
            let isLong = seconds >= 30 && chance.oneIn(4)
            broker.stop(for: chance.milliseconds(isLong ? 4_000...12_000 : 50...3_000))
        }
    }

    private func judgeEnd(of broker: ChildProcess, _ end: ChildProcess.End) {
        let log = (try? String(contentsOfFile: brokerLog, encoding: .utf8)) ?? ""
        // One that does not serve yet has promised nothing, and may not have come to its handlers.
        let isServing = log.contains("listening")
        let isOrdered =
            switch broker.ordered {
            case SIGKILL: end == .signalled(SIGKILL) || end == .exited(0)
            case SIGTERM: end == .exited(0) || !isServing && end == .signalled(SIGTERM)
            default: false
            }
        if !isOrdered {
            tally.violations.append(
                "broker \(tally.brokers) has ended by \(end), ordered was "
                    + "\(broker.ordered.map { "signal \($0)" } ?? "nothing"): \(log.suffix(2_000))"
            )
        }
        for word in ["Fatal error", "Assertion failed", "precondition", "overflow"]
        where log.contains(word) {
            tally.violations.append("broker \(tally.brokers) says \(word): \(log.suffix(2_000))")
        }
    }

    /// Ends it for good at the end of the round.
    func killBroker() {
        guard let broker else { return }
        broker.order(SIGKILL)
        // SIGKILL ends it within moments, and waitpid belongs to `endIfAny`.
        while broker.endIfAny() == nil { usleep(1_000) }
        judgeEnd(of: broker, .signalled(SIGKILL))
        self.broker = nil
    }
}
