import BusProtocol
import TaskTree

/// The jobs of the other brokers of a fleet, as this broker's bridge reports them.
///
/// Their rows are shown as they are reported; the tree holds nothing of them. When a bridge is
/// gone, what it reported stays for a while. The next bridge reports everything again, and what it
/// does not report is removed.
struct FleetBoard {
    /// The session of the bridge; `nil` while there is none.
    private(set) var bridge: SessionID?
    /// When a bridge last spoke, and when the present bridge first spoke.
    var lastHeard = Moment(nanoseconds: 0)
    private(set) var begun = Moment(nanoseconds: 0)
    /// The number of the present bridge, counted from the first one.
    private var generation = 0
    /// Since when the bridge has been silent, in Unix seconds; 0: it is heard.
    private var silentSince = 0.0
    /// Since when what only a former bridge reported is old, in Unix seconds; 0: it may still come.
    private var formerSince = 0.0
    /// What keeps the bridge from the fleet, as it says; empty: nothing.
    var trouble = ""
    private var brokers: [UInt64: Broker] = [:]
    private var jobs: [TaskID: Job] = [:]
    private var jobsOnPage: [Int: Set<TaskID>] = [:]
    /// The broker that each session belongs to, as far as rows and answers of the brokers show.
    ///
    /// `isOwner`: the broker itself says that the session is its own. Otherwise it has only named a
    /// task of the session, which may belong to yet another broker.
    private var origins: [SessionID: (broker: UInt64, isOwner: Bool)] = [:]
    /// Questions to other brokers.
    var questions = FleetQuestions()
    /// What the jobs of all other brokers add to the broker's own totals.
    private(set) var totals = JobTotals()
    /// What the next step publishes.
    private var changes = Changes()

    private struct Broker {
        var host = ""
        /// Since when nothing has come from the broker, in Unix seconds; 0: it is heard.
        var unheard = 0.0
        var jobs: Set<TaskID> = []
        /// The sessions that are known to belong to this broker.
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
    /// One more than the highest page with a job of another broker; 0 for none.
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
    /// The broker that says that a task is its own; `nil` also if a broker has only named the task.
    func owner(of id: TaskID) -> UInt64? {
        jobs[id]?.broker ?? origins[id.session].flatMap { $0.isOwner ? $0.broker : nil }
    }
    /// Whether a session may belong to a broker: no other broker shows a job of the session.
    func mayHave(_ session: SessionID, _ broker: UInt64) -> Bool {
        guard let other = origins[session]?.broker, other != broker else { return true }
        // A session may have parts of several brokers' jobs, but jobs at one broker only.
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

    /// For how many seconds nothing has been heard of a broker; `nil` if it is not in the fleet.
    func quiet(of broker: UInt64, at unixTime: Double) -> Double? {
        brokers[broker].map { known in
            silence(of: known, known.generation).map { unixTime - $0 } ?? 0
        }
    }

    /// Since when what a broker has said may be out of date, in Unix seconds; `nil` if it is not.
    ///
    /// `said` is the number of the bridge that reported it.
    private func silence(of broker: Broker, _ said: Int) -> Double? {
        [broker.unheard, silentSince, said < generation ? formerSince : 0].filter { $0 > 0 }.min()
    }

    /// The hosts of the other brokers: silent ones first, then by name.
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

    /// Begins with another bridge; what it does not report again becomes old.
    mutating func beginAnew(with bridge: SessionID, at now: Moment) {
        self.bridge = bridge
        generation += 1
        (begun, lastHeard, silentSince, formerSince) = (now, now, 0, 0)
        for broker in brokers.keys { forgetSessions(of: broker) }
    }

    mutating func bridgeIsGone() { bridge = nil }

    /// Sets since when the bridge is silent, and since when what only a former bridge reported is
    /// old.
    mutating func setSilent(since: Double, former: Double, step: UInt64) {
        guard (since > 0, former > 0) != (silentSince > 0, formerSince > 0) else { return }
        (silentSince, formerSince) = (since, former)
        change(jobs.keys, step: step)
    }

    /// Marks the rows of these jobs as changed by this step.
    private mutating func change(_ ids: some Sequence<TaskID>, step: UInt64) {
        for id in ids {
            jobs[id]?.row.sequence = step
            changes.changed.insert(id)
        }
    }

    /// Forgets brokers and jobs that only a former bridge has reported.
    mutating func removeOld() {
        for (broker, said) in brokers where said.generation < generation { remove(broker: broker) }
        for (id, job) in jobs where job.generation < generation { remove(id) }
    }

    /// Takes in a broker's host, and since when it is unheard.
    mutating func hear(_ said: WireFleetRows, step: UInt64) {
        var broker = brokers[said.broker] ?? Broker()
        let isShownOtherwise = broker.unheard != said.unheard || broker.host != said.host
        broker.host = said.host
        broker.unheard = said.unheard
        broker.generation = generation
        brokers[said.broker] = broker
        if isShownOtherwise { change(broker.jobs, step: step) }
    }

    /// Shows a job of a broker that `hear` has taken in; returns false if another broker has the
    /// job.
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

    /// Notes that a session belongs to a broker; returns false if it is another broker's or there
    /// is no room.
    ///
    /// `isOwner`: the broker says itself that the session is its own; otherwise it has named a task
    /// of the session. At the limit, the broker's known sessions are forgotten: later answers name
    /// again those that viewers look at.
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
    /// Adds a job to the totals (`sign` 1) or takes it out (−1).
    ///
    /// The numbers are a peer's: sums wrap, and are clamped when they are published.
    fileprivate mutating func add(_ progress: WireRowProgress, times sign: Int) {
        let state = TaskState(progress.state)
        jobs.add(state, times: sign)
        tasks.add(state, times: sign)
        tasks.add(StateCounts(progress.counts), times: sign)
        let troubles = Int(clamping: progress.attention) &+ (progress.needsAttention ? 1 : 0)
        needingAttention &+= sign &* troubles
    }
}
