import BusProtocol
import TaskTree

/// What the boards of the other brokers of a fleet show, as this broker's bridge says.
///
/// Their rows are shown as they are: nothing of them is in the tree. What a bridge has said stays for a
/// while when the bridge is gone, and the next one says all of it again: what that leaves out goes then.
struct FleetBoard {
    /// The session that speaks for the fleet; `nil`: it is gone.
    private(set) var bridge: SessionID?
    /// When a bridge spoke last, and when the one that does so now spoke first.
    var lastHeard = Moment(nanoseconds: 0)
    private(set) var begun = Moment(nanoseconds: 0)
    /// The number of the bridge that speaks, counted from the first.
    private var generation = 0
    /// Unix seconds since when nothing has come from the bridge, and since when nothing was said of what
    /// only a former one has said; 0: it is heard, or that may still come.
    private var silentSince = 0.0
    private var formerSince = 0.0
    /// What keeps the bridge from the fleet, as it says; empty: nothing.
    var trouble = ""
    private var brokers: [UInt64: Broker] = [:]
    private var jobs: [TaskID: Job] = [:]
    private var jobsOnPage: [Int: Set<TaskID>] = [:]
    /// Which broker a session is of, as its jobs and answers show; `isOwner`: as it has said itself, while what
    /// it names it may have from another.
    private var origins: [SessionID: (broker: UInt64, isOwner: Bool)] = [:]
    /// What other brokers are asked.
    var questions = FleetQuestions()
    /// What the jobs of all other brokers add to the broker's own totals.
    private(set) var totals = JobTotals()
    /// What viewers are to be told with the next step.
    private var changes = Changes()

    private struct Broker {
        var host = ""
        /// Unix seconds since when nothing has come from it; 0: it is heard.
        var unheard = 0.0
        var jobs: Set<TaskID> = []
        /// Those that are known to be of this broker.
        var sessions: Set<SessionID> = []
        var generation = 0
    }

    private struct Job {
        let broker: UInt64
        var row: WireRow
        var generation: Int

        var page: Int { Topic.page(ofSlot: Int(row.description_p.slot)) }
    }

    struct Changes {
        var changed: Set<TaskID> = []
        /// Jobs that are shown no more, and on which page they were.
        var removed: [(id: TaskID, page: Int)] = []

        var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
    }

    var jobCount: Int { jobs.count }
    var brokerCount: Int { brokers.count }
    var sessionCount: Int { origins.count }
    var hasChanges: Bool { !changes.isEmpty }
    /// How far the pages with jobs of other brokers reach.
    var pageCount: Int { (jobsOnPage.keys.max() ?? -1) + 1 }
    var highestSlot: Int {
        Int(jobs(onPage: pageCount - 1).compactMap { jobs[$0]?.row.description_p.slot }.max() ?? 0)
    }

    func has(_ id: TaskID) -> Bool { jobs[id] != nil }
    func has(broker: UInt64) -> Bool { brokers[broker] != nil }
    func jobs(onPage page: Int) -> Set<TaskID> { jobsOnPage[page] ?? [] }
    func ids(where matches: (TaskID, WireRowDescription) -> Bool) -> [TaskID] {
        jobs.filter { matches($0, $1.row.description_p) }.keys.sorted()
    }
    /// What people call the host of a broker.
    func host(ofBroker broker: UInt64) -> String {
        brokers[broker].flatMap { $0.host.isEmpty ? nil : $0.host } ?? "another host"
    }
    /// The broker that has this task.
    func broker(of id: TaskID) -> UInt64? { jobs[id]?.broker ?? origins[id.session]?.broker }
    /// The broker of the session that has a task; `nil` also where another one has named it alone.
    func owner(of id: TaskID) -> UInt64? {
        jobs[id]?.broker ?? origins[id.session].flatMap { $0.isOwner ? $0.broker : nil }
    }
    /// Whether a session is not known to be another broker's.
    func mayHave(_ session: SessionID, _ broker: UInt64) -> Bool {
        guard let other = origins[session]?.broker, other != broker else { return true }
        // A session may have parts of jobs of several brokers, and jobs at one.
        return brokers[other]?.jobs.contains { $0.session == session } != true
    }
    /// Whether a broker of the fleet speaks at present.
    func isHeard(_ broker: UInt64) -> Bool {
        bridge != nil && silentSince == 0
            && brokers[broker].map { $0.unheard == 0 && $0.generation == generation } ?? false
    }
    /// Whether any other broker of the fleet speaks at present.
    var isAnyHeard: Bool { brokers.keys.contains(where: isHeard) }
    /// Whether other brokers of the fleet are known, and all of them speak at present.
    var areAllHeard: Bool { !brokers.isEmpty && brokers.keys.allSatisfy(isHeard) }
    /// Whether nothing is heard of a broker, so that what is known of its tasks is old.
    func isSilent(_ broker: UInt64) -> Bool {
        brokers[broker].map { silence(of: $0, $0.generation) != nil } ?? false
    }

    /// For how many seconds nothing is heard of a broker; `nil` where it is in the fleet no more.
    func quiet(of broker: UInt64, at unixTime: Double) -> Double? {
        brokers[broker].map { known in
            silence(of: known, known.generation).map { unixTime - $0 } ?? 0
        }
    }

    /// Unix seconds since when nothing is heard of what a broker said to this bridge, or a former one.
    private func silence(of broker: Broker, _ said: Int) -> Double? {
        [broker.unheard, silentSince, said < generation ? formerSince : 0].filter { $0 > 0 }.min()
    }

    /// The hosts of the other brokers: those first of which nothing is heard, then by name.
    var hosts: [WireFleetHost] {
        brokers.values.map { broker in
            var host = WireFleetHost()
            host.name = broker.host
            host.unheard = silence(of: broker, broker.generation) ?? 0
            return host
        }
        .sorted { ($0.unheard == 0 ? 1 : 0, $0.name) < ($1.unheard == 0 ? 1 : 0, $1.name) }
    }

    /// The row as viewers see it.
    func row(_ id: TaskID) -> WireRow? {
        guard let job = jobs[id], let broker = brokers[job.broker] else { return nil }
        var row = job.row
        if row.description_p.host.isEmpty, row.description_p.process.host.isEmpty {
            row.description_p.host = broker.host
        }
        guard let since = silence(of: broker, job.generation), !row.progress.hasEnded else {
            return row
        }
        row.progress.silent = true
        let words = "is silent since \(Self.timeOfDay(since)) UTC"
        let host = broker.host.limited(toUTF8: ProtocolLimits.noteBytes - 40)
        row.progress.note = "host \(host) \(words)"
        return row
    }

    // MARK: - The bridge

    /// Another bridge speaks: what it does not say again is old.
    mutating func beginAnew(with bridge: SessionID, at now: Moment) {
        self.bridge = bridge
        generation += 1
        (begun, lastHeard, silentSince, formerSince) = (now, now, 0, 0)
        for broker in brokers.keys { forgetSessions(of: broker) }
    }

    mutating func bridgeIsGone() { bridge = nil }

    /// Takes note of since when the bridge is silent, and what only a former one has said.
    mutating func setSilent(since: Double, former: Double, step: UInt64) {
        guard (since > 0, former > 0) != (silentSince > 0, formerSince > 0) else { return }
        (silentSince, formerSince) = (since, former)
        change(jobs.keys, step: step)
    }

    /// Rows of these jobs are others from this step on.
    private mutating func change(_ ids: some Sequence<TaskID>, step: UInt64) {
        for id in ids {
            jobs[id]?.row.sequence = step
            changes.changed.insert(id)
        }
    }

    /// Forgets what only a former bridge has said.
    mutating func removeOld() {
        for (broker, said) in brokers where said.generation < generation { remove(broker: broker) }
        for (id, job) in jobs where job.generation < generation { remove(id) }
    }

    /// Takes in what does not depend on single jobs.
    mutating func hear(_ said: WireFleetRows, step: UInt64) {
        var broker = brokers[said.broker] ?? Broker()
        let isShownOtherwise = broker.unheard != said.unheard || broker.host != said.host
        broker.host = said.host
        broker.unheard = said.unheard
        broker.generation = generation
        brokers[said.broker] = broker
        if isShownOtherwise { change(broker.jobs, step: step) }
    }

    /// Shows a job of a broker that was heard; false where another broker has it.
    mutating func put(_ row: WireRow, as id: TaskID, of broker: UInt64, step: UInt64) -> Bool {
        if let former = jobs[id], former.broker != broker, former.generation < generation {
            remove(id)
        }
        var job = Job(broker: broker, row: row, generation: generation)
        job.row.description_p.elsewhere = true
        job.row.sequence = step
        if let former = jobs[id] {
            guard former.broker == broker else { return false }
            if former.page != job.page { hide(id, onPage: former.page) }
            totals.add(former.row.progress, times: -1)
        }
        jobs[id] = job
        totals.add(row.progress, times: 1)
        jobsOnPage[job.page, default: []].insert(id)
        brokers[broker]?.jobs.insert(id)
        changes.changed.insert(id)
        return true
    }

    /// Notes that a session is of a broker, which says so itself or has named a task of it; false where it is
    /// another's, or there is no room.
    ///
    /// A broker for which there is no room begins anew: what is looked at there is said again.
    mutating func learn(
        _ session: SessionID,
        of broker: UInt64,
        asOwner isOwner: Bool,
        limit: Int
    ) -> Bool {
        guard brokers[broker] != nil else { return false }
        if let known = origins[session] {
            guard known.broker != broker else {
                if isOwner { origins[session]?.isOwner = true }
                return true
            }
            guard mayHave(session, broker) else { return false }
            guard isOwner else { return true }
            brokers[known.broker]?.sessions.remove(session)
            origins[session] = nil
        }
        if origins.count >= limit { forgetSessions(of: broker) }
        guard origins.count < limit else { return false }
        origins[session] = (broker, isOwner)
        brokers[broker]?.sessions.insert(session)
        return true
    }

    private mutating func forgetSessions(of broker: UInt64) {
        for session in brokers[broker]?.sessions ?? [] { origins[session] = nil }
        brokers[broker]?.sessions = []
    }

    /// Takes a job off the board; if a broker is given, only where the job is that broker's.
    mutating func remove(_ id: TaskID, of broker: UInt64? = nil) {
        guard let job = jobs[id], broker == nil || job.broker == broker else { return }
        hide(id, onPage: job.page)
        totals.add(job.row.progress, times: -1)
        jobs[id] = nil
        brokers[job.broker]?.jobs.remove(id)
        changes.changed.remove(id)
    }

    /// Forgets a broker and all its jobs.
    mutating func remove(broker: UInt64) {
        for id in brokers[broker]?.jobs ?? [] { remove(id, of: broker) }
        forgetSessions(of: broker)
        brokers[broker] = nil
    }

    mutating func removeAll() {
        for broker in brokers.keys { remove(broker: broker) }
        (bridge, silentSince, formerSince, trouble) = (nil, 0, 0, "")
    }

    mutating func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    private mutating func hide(_ id: TaskID, onPage page: Int) {
        jobsOnPage[page]?.remove(id)
        if jobsOnPage[page]?.isEmpty == true { jobsOnPage[page] = nil }
        changes.removed.append((id, page))
    }

    private static func timeOfDay(_ unixTime: Double) -> String {
        let second = Int(unixTime) % 86_400
        return [second / 3_600, second / 60 % 60, second % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}

extension JobTotals {
    /// Puts a job in (`sign` 1) or takes it out (−1), with numbers of a peer: sums wrap, and are clamped where
    /// they are told.
    fileprivate mutating func add(_ progress: WireRowProgress, times sign: Int) {
        let state = TaskState(progress.state)
        jobs.add(state, times: sign)
        tasks.add(state, times: sign)
        tasks.add(StateCounts(progress.counts), times: sign)
        let troubles = Int(clamping: progress.attention) &+ (progress.needsAttention ? 1 : 0)
        needingAttention &+= sign &* troubles
    }
}
