import Foundation

/// Forty workers and the one that hands out tickets: half of them have ended, half go on.
///
/// Of each half, ten redeem a ticket of one pool and ten have a job of their own with a child.
struct Crowd {
    private let bus: TemporaryBus
    private let coordinator: Reporter
    /// Live workers that hold a ticket; their task is `root`.
    private let holders: [Reporter]
    /// Live workers with a job `job` and its child `child`.
    private let owners: [Reporter]

    /// The pool, its 20 tasks, 20 jobs and their 20 children.
    let expectedTasks = 1 + 20 + 20 + 20

    /// Returns when the broker has acknowledged all of it.
    init(on bus: TemporaryBus) async throws {
        self.bus = bus
        coordinator = try bus.startReporter("--title", "Pool")
        var holders: [Reporter] = []
        var owners: [Reporter] = []
        var leaving: [(holder: Reporter, owner: Reporter)] = []
        for number in 0..<20 {
            let share = #""share":\#(number % 3 + 1)"#
            let ticket = try await coordinator.ticket("Part \(number)", under: "root", share)
            let holder = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            holder.update("root", #""total":100,"completed":\#(number),"detail":"page \#(number)""#)
            let owner = try bus.startReporter()
            owner.begin("job", "Job \(number)", #""key":"key-\#(number)","total":50"#)
            owner.begin("child", "Child", #""parent":"job","share":20,"total":7"#)
            owner.update("child", #""completed":\#(number % 7)"#)
            guard number < 10 else {
                holders.append(holder)
                owners.append(owner)
                continue
            }
            leaving.append((holder, owner))
        }
        self.holders = holders
        self.owners = owners
        for (number, pair) in leaving.enumerated() {
            // A child that begins and ends within a tick would be folded into a number.
            try await pair.owner.sync()
            let state = ["succeeded", "failed", "cancelled"][number % 3]
            pair.holder.end("root", state, reason: "part \(number)")
            pair.owner.end("child", state)
            pair.owner.end("job", state, reason: "job \(number)")
            for worker in [pair.holder, pair.owner] {
                let end = try await worker.process.finish()
                guard end == .exited(0) else {
                    throw NeverHappened(
                        what: "\(worker.process.name) exits with 0, not \(end)",
                        patience: .zero,
                        last: worker.process.errorOutput
                    )
                }
            }
        }
        try await sync()
    }

    /// Returns when the broker has what all of them have said.
    func sync() async throws {
        for worker in [coordinator] + holders + owners { try await worker.sync() }
    }

    /// The tree once it shows all of them.
    func settledStatus() async throws -> StatusReport {
        try await bus.status("the whole crowd") { report in
            let states = report.allTasks.map(\.state)
            return !report.broker.settling && states.count == expectedTasks
                && states.count { $0 == "running" } == 1 + 10 + 20
        }
    }

    /// Goes on while nobody listens: everybody advances, one of each kind ends.
    func workWithoutBroker() {
        for (number, holder) in holders.enumerated() {
            holder.update("root", #""completed":\#(40 + number)"#)
        }
        for owner in owners { owner.say(#"{"op":"advance","id":"job","by":11}"#) }
        holders[0].end("root", "succeeded")
        owners[0].end("child", "succeeded")
        owners[0].end("job", "failed", reason: "while the broker was away")
    }

    /// Whether a tree shows what was done in `workWithoutBroker`.
    func hasWorked(_ report: StatusReport) -> Bool {
        guard let pool = report.job(titled: "Pool") else { return false }
        let parts = (0..<10).map { pool.child(titled: "Part \($0 + 10)") }
        let jobs = (0..<10).map { report.job(titled: "Job \($0 + 10)") }
        return parts.enumerated().allSatisfy { $1?.completed == 40 + $0 }
            && jobs.allSatisfy { $0?.completed == 11 }
            && parts.map { $0?.state } == ["succeeded"] + Array(repeating: "running", count: 9)
            && jobs.map { $0?.state } == ["failed"] + Array(repeating: "running", count: 9)
            && jobs[0]?.reason == "while the broker was away"
            && jobs[0]?.child(titled: "Child")?.state == "succeeded"
            && pool.counts == .init(running: 9, succeeded: 5, failed: 3, cancelled: 3)
    }

    /// Where the tree after `workWithoutBroker` differs in what that had no part in.
    func differences(_ before: StatusReport, _ after: StatusReport) -> [String] {
        let former = Dictionary(before.allTasks.map { ($0.id, $0) }) { first, _ in first }
        guard after.allTasks.count == expectedTasks else { return ["\(after)"] }
        return after.allTasks.flatMap { task -> [String] in
            guard let former = former[task.id] else { return ["\(task.title) is new"] }
            guard former.endedAt == nil else { return task.differences(from: former) }
            var words: [String] = []
            if task.key != former.key { words.append("\(task.title): key \(task.key ?? "")") }
            if task.slot != former.slot { words.append("\(task.title): another slot") }
            if task.endedAt == nil, task.place != former.place {
                words.append("\(task.title): another place")
            }
            if task.attempt != 1 { words.append("\(task.title): attempt \(task.attempt)") }
            if task.process != former.process { words.append("\(task.title): another process") }
            return words
        }
    }

    /// Ends everything well.
    func finish() async throws {
        for holder in holders.dropFirst() { holder.end("root", "succeeded") }
        for owner in owners.dropFirst() {
            owner.end("child", "succeeded")
            owner.end("job", "succeeded")
        }
        for worker in holders + owners { try await worker.process.finish() }
        coordinator.end("root", "succeeded")
        try await coordinator.process.finish()
    }
}
