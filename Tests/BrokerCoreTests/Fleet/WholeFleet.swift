import BusProtocol
import FleetCore
import ProgressBus
import Synchronization
import TaskTree

/// Hosts of a fleet, and the NATS between them: what it keeps, and what it carries.
struct WholeFleet {
    private final class Clock: Sendable {
        let nanoseconds = Atomic<Int64>(1_000_000_000)
        var now: Moment { Moment(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
    }

    private static let unixOffset = 1_800_000_000.0
    private static let step = 0.05

    private let clock = Clock()
    private(set) var hosts: [WholeHost] = []
    /// The newest record of each subject that is kept.
    private var kept: [FleetSubject: WireFleetRecord] = [:]
    /// Hosts that NATS does not reach.
    private var away: Set<Int> = []
    /// Whether something that is only carried gets lost.
    var isLost: () -> Bool = { false }
    private var sessions: UInt32 = 0

    var now: Moment { clock.now }

    init(hosts count: Int) {
        for index in 0..<count {
            hosts.append(
                WholeHost(number: UInt64(index + 1), at: now, unixOffset: Self.unixOffset)
            )
            hosts[index].tellBridge(.connected, at: now)
        }
    }

    /// Begins a process that works on a host: its client, and what it is killed by.
    mutating func begin(on host: Int) -> (client: BusClient, number: UInt32) {
        let clock = clock
        let (client, session) = BusClient.direct(
            present: { clock.now },
            unixOffset: Self.unixOffset,
            serve: {}
        )
        sessions += 1
        hosts[host].add(session, number: sessions)
        return (client, sessions)
    }

    mutating func kill(_ session: UInt32, on host: Int) { hosts[host].kill(session) }

    /// A host is cut off from NATS, or reaches it again.
    mutating func setAway(_ isAway: Bool, _ host: Int) {
        guard isAway != away.contains(host) else { return }
        if isAway { away.insert(host) } else { away.remove(host) }
        hosts[host].tellBridge(isAway ? .disconnected : .connected, at: now)
    }

    mutating func restartBroker(of host: Int) { hosts[host].restartBroker(at: now) }

    mutating func restartBridge(of host: Int) {
        hosts[host].restartBridge(at: now)
        if !away.contains(host) { hosts[host].tellBridge(.connected, at: now) }
    }

    /// NATS is emptied.
    mutating func loseKept() { kept = [:] }

    mutating func pass(seconds: Double) {
        for _ in 0..<max(1, Int((seconds / Self.step).rounded())) {
            clock.nanoseconds.wrappingAdd(Int64(Self.step * 1e9), ordering: .relaxed)
            for index in hosts.indices { hosts[index].tick(at: now) }
            serve()
        }
    }

    /// What those who look see on each host, all at one moment.
    mutating func look() -> [[TaskSnapshot]?] {
        for index in hosts.indices { hosts[index].look(at: now) }
        for _ in 0..<200 where hosts.contains(where: { $0.seen == nil }) {
            pass(seconds: Self.step)
        }
        return hosts.map(\.seen)
    }

    private mutating func serve() {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for index in hosts.indices {
                for action in hosts[index].serve(at: now) {
                    isQuiet = false
                    carry(action, of: index)
                }
            }
        }
    }

    private mutating func carry(_ action: FleetMachine.Action, of index: Int) {
        let isAway = away.contains(index)
        switch action {
        case .put(let subject, let record), .claim(let subject, let record):
            var isKept = !isAway
            if case .claim = action, kept[subject] != nil { isKept = false }
            if isKept { kept[subject] = record }
            tell(.answered(subject, isKept: isKept), to: index)
            if isKept { say(record, under: subject, of: index) }
        case .publish(let subject, let record):
            if !isAway, !isLost() { say(record, under: subject, of: index) }
        case .read:
            guard !isAway else { return tell(.readFailed, to: index) }
            for (subject, record) in kept.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                tell(.record(subject, record, isStored: true), to: index)
            }
            tell(.wasRead, to: index)
        case .subscribe, .unsubscribe, .send, .save, .warn: break
        }
    }

    private mutating func say(
        _ record: WireFleetRecord,
        under subject: FleetSubject,
        of index: Int
    ) {
        for other in hosts.indices where other != index && !away.contains(other) {
            tell(.record(subject, record, isStored: false), to: other)
        }
    }

    private mutating func tell(_ event: FleetMachine.Event, to index: Int) {
        hosts[index].tellBridge(event, at: now)
    }
}
