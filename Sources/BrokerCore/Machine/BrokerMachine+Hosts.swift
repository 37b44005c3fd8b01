import BusProtocol
import TaskTree

/// Jobs by host: how many of their tasks are in which state on each.
///
/// The broker keeps no sums by host. While a viewer follows the hosts of a job, the broker walks
/// the tasks of the job: first when the viewer begins to, then once a second at most, and not more
/// tasks than a tick has time for.
extension BrokerMachine {
    /// Seconds between two countings of a job.
    private static let hostsEvery = 1.0
    /// The most tasks of one job that are counted; a tick that has counted so many begins no other
    /// job.
    static let countedTasks = 65_536

    /// Counts the followed jobs that are due, and publishes the counts that are not the same as
    /// before.
    mutating func publishHosts(now: Moment) {
        guard now >= publication.hostsRest else { return }
        let followed = publication.topics.filter { topic, state in
            guard case .hosts = topic else { return false }
            return state.counted.map { now.seconds(since: $0) >= Self.hostsEvery } ?? true
        }
        guard !followed.isEmpty else { return }
        var left = Self.countedTasks
        // Jobs that were counted long ago come before those that a viewer has just begun to follow.
        let order = followed.sorted { $0.value.counted ?? now < $1.value.counted ?? now }
        for (topic, state) in order {
            guard case .hosts(let job) = topic, left > 0 else { break }
            let counted = tree.countsByHost(below: job, within: Self.countedTasks)
            left -= counted.looked + 1
            publication.topics[topic]?.counted = now
            var hosts = hosts(of: counted)
            // What another broker has of the job is not counted here.
            if board.fleet.has(job) { hosts.partial = true }
            guard hosts != state.hosts else { continue }
            publication.topics[topic]?.hosts = hosts
            var content = WireUpdate()
            content.hosts = hosts
            send(content, on: topic, now: now)
        }
        // The broker rests longer after it has counted more, so that new viewers cannot keep it
        // busy.
        let share = Double(Self.countedTasks - left) / Double(Self.countedTasks)
        publication.hostsRest = now.advanced(bySeconds: Self.hostsEvery * min(share, 1))
    }

    private func hosts(of counted: HostCounts) -> WireHosts {
        var byHost: [String: StateCounts] = [:]
        for (host, counts) in counted.counts {
            let name =
                switch host {
                case .named(let name): name
                case .ofSession(let session): sessions[session]?.hello.process.host ?? ""
                }
            byHost[name, default: StateCounts()].add(counts, times: 1)
        }
        let names = byHost.keys.sorted()
        var hosts = WireHosts()
        hosts.hosts = names.prefix(ProtocolLimits.hosts).map { name in
            var host = WireHostCounts()
            host.host = name
            host.counts = WireCounts(byHost[name] ?? StateCounts())
            return host
        }
        let others = names.dropFirst(ProtocolLimits.hosts)
        if !others.isEmpty {
            var counts = StateCounts()
            for name in others { counts.add(byHost[name] ?? StateCounts(), times: 1) }
            hosts.others = WireCounts(counts)
            hosts.otherHosts = UInt64(others.count)
        }
        hosts.partial = !counted.isWhole
        return hosts
    }
}

extension Topic {
    /// The first sequence of a topic that has nothing to show before its first update; `nil` for
    /// others.
    ///
    /// That update may come without a step in between.
    var firstSequence: UInt64? {
        if case .hosts = self { 0 } else { nil }
    }
}
