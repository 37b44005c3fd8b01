import DashboardCore
import Essentials
import ProgressBus
import TaskTree

/// A task as JSON, with null for what is unknown: Protocol/schemas/task.schema.json.
struct TaskJSON: Encodable {
    let task: TaskSnapshot
    private let byHost: JobHosts?
    private let sentence: TaskSentence

    init(_ task: TaskSnapshot, in parent: TaskSnapshot? = nil, byHost: JobHosts? = nil) {
        self.task = task
        self.byHost = byHost
        sentence = TaskSentence(task, in: parent)
    }

    private enum Key: String, CodingKey {
        case id, parent, job, depth, key, slot, place, title, detail, unit, style, background, tint
        case state, stalled, silent, needsAttention, indeterminate, orphan
        case percent, fraction, displayFraction, completed, total, totalIsEstimate, totalBefore
        case expectedChildren, share, attempt, earlierAttempts
        case rate, expectEvery, secondsLeft, elapsed, active, secondsSinceAdvance, startedAt,
            endedAt
        case reason, exit, note, problem, advice, cancellable, pausable, consequence, host, process
        case counts, byHost, sums, attentionBelow, childrenLeftOut, children
    }

    func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try encodeIdentity(into: &json)
        try encodeState(into: &json)
        try encodeAmounts(into: &json)
        try encodeTimes(into: &json)
        try json.encode(task.options.isCancellable, forKey: .cancellable)
        try json.encode(task.options.isPausable, forKey: .pausable)
        try json.encode(Self.orNull(task.options.consequence), forKey: .consequence)
        try json.encode(Self.orNull(task.host), forKey: .host)
        let process = task.process.map {
            ProcessJSON(host: $0.host, pid: $0.pid, command: $0.command)
        }
        try json.encode(process, forKey: .process)
        try json.encode(task.counts.json, forKey: .counts)
        try json.encode(byHost.map(ByHostJSON.init), forKey: .byHost)
        let sums = task.sums.map {
            SumJSON(unit: $0.unit, completed: $0.completed, total: $0.total)
        }
        try json.encode(sums, forKey: .sums)
        try json.encode(task.attentionBelow, forKey: .attentionBelow)
        try json.encode(task.childrenLeftOut, forKey: .childrenLeftOut)
        try json.encode(task.children.map { TaskJSON($0, in: task) }, forKey: .children)
    }

    private static func orNull(_ text: String) -> String? { text.isEmpty ? nil : text }

    private func encodeIdentity(into json: inout KeyedEncodingContainer<Key>) throws {
        try json.encode(task.id.description, forKey: .id)
        try json.encode(task.parent?.description, forKey: .parent)
        try json.encode(task.job.description, forKey: .job)
        try json.encode(task.depth, forKey: .depth)
        try json.encode(Self.orNull(task.key), forKey: .key)
        try json.encode(task.slot, forKey: .slot)
        try json.encode(task.place, forKey: .place)
        try json.encode(task.title, forKey: .title)
        try json.encode(task.detail, forKey: .detail)
        try json.encode(task.unit, forKey: .unit)
        try json.encode(task.options.style == .spinner ? "spinner" : "bar", forKey: .style)
        try json.encode(task.options.isBackground, forKey: .background)
        try json.encode(Self.orNull(task.options.tint), forKey: .tint)
    }

    private func encodeState(into json: inout KeyedEncodingContainer<Key>) throws {
        try json.encode(task.state.rawValue, forKey: .state)
        try json.encode(task.isStalled, forKey: .stalled)
        try json.encode(task.isSilent, forKey: .silent)
        try json.encode(task.needsAttention, forKey: .needsAttention)
        try json.encode(task.isIndeterminate, forKey: .indeterminate)
        try json.encode(task.isOrphan, forKey: .orphan)
        try json.encode(task.reason, forKey: .reason)
        try json.encode(task.exit?.json, forKey: .exit)
        try json.encode(task.note, forKey: .note)
        try json.encode(sentence.problem, forKey: .problem)
        try json.encode(sentence.advice, forKey: .advice)
        try json.encode(task.attempt, forKey: .attempt)
        try json.encode(task.earlierAttempts, forKey: .earlierAttempts)
    }

    private func encodeAmounts(into json: inout KeyedEncodingContainer<Key>) throws {
        try json.encode(sentence.wholePercent, forKey: .percent)
        try json.encode(task.fraction, forKey: .fraction)
        // A fraction that no view shows counts as unknown.
        let isShown = task.isDeterminate
        try json.encode(isShown ? task.displayFraction : nil, forKey: .displayFraction)
        try json.encode(task.completed, forKey: .completed)
        try json.encode(task.total, forKey: .total)
        try json.encode(task.options.totalIsEstimate, forKey: .totalIsEstimate)
        try json.encode(task.totalBefore, forKey: .totalBefore)
        try json.encode(task.options.expectedChildren, forKey: .expectedChildren)
        try json.encode(task.share, forKey: .share)
        try json.encode(task.rate, forKey: .rate)
        try json.encode(task.options.expectedGap?.inSeconds, forKey: .expectEvery)
    }

    private func encodeTimes(into json: inout KeyedEncodingContainer<Key>) throws {
        try json.encode(sentence.secondsLeft?.roundedToMilliseconds, forKey: .secondsLeft)
        try json.encode(task.elapsed?.roundedToMilliseconds, forKey: .elapsed)
        try json.encode(task.active?.roundedToMilliseconds, forKey: .active)
        try json.encode(
            task.secondsSinceAdvance?.roundedToMilliseconds,
            forKey: .secondsSinceAdvance
        )
        try json.encode(task.startedAt?.wholeSecondsISO, forKey: .startedAt)
        try json.encode(task.endedAt?.wholeSecondsISO, forKey: .endedAt)
    }
}

private struct ProcessJSON: Encodable {
    let host: String
    let pid: Int
    let command: String
}

private struct SumJSON: Encodable {
    let unit: String
    let completed: Int64
    let total: Int64
}

extension TaskSnapshot.Exit {
    /// Only one of `status` and `signal` appears: the known one.
    fileprivate var json: [String: Int] {
        switch self {
        case .status(let status): ["status": status]
        case .signal(let signal): ["signal": signal]
        }
    }
}

extension StateCounts {
    fileprivate var json: [String: Int] {
        [
            "waiting": waiting, "running": running, "succeeded": succeeded, "failed": failed,
            "cancelled": cancelled, "lost": lost,
        ]
    }
}

private struct ByHostJSON: Encodable {
    struct Host: Encodable {
        let host: String
        let counts: [String: Int]
    }

    let hosts: [Host]
    let otherHosts: Int
    let others: [String: Int]
    let partial: Bool

    init(_ spread: JobHosts) {
        hosts = spread.hosts.map { Host(host: $0.name, counts: $0.counts.json) }
        otherHosts = spread.otherHosts
        others = spread.others.json
        partial = spread.isPartial
    }
}

extension Double {
    /// Rounded to thousandths, so that it has no digits that mean nothing.
    var roundedToMilliseconds: Double { (self * 1_000).rounded() / 1_000 }
}

extension Date {
    /// "2026-11-21T03:00:00Z".
    var wholeSecondsISO: String { formatted(.iso8601) }

    /// "2026-11-21T03:00:00.123Z".
    var millisecondsISO: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
