import Foundation
import TaskTree
import Testing

@testable import ProgressBus

/// What all hosts of a fleet show at rest is the same, and what one broker shows of the same work.
@Suite("A fleet and one broker, the same random work") struct RandomFleetTests {
    /// Events of one phase, and phases of one run.
    private static let (events, phases) = (40, 4)
    /// So many runs; more where somebody asks for them.
    private static let seeds =
        ProcessInfo.processInfo.environment["PROGRESSBUS_FLEET_RUNS"].flatMap(UInt64.init) ?? 4

    @Test(
        "at rest every host shows what one broker would, whatever was cut off, lost and begun anew",
        arguments: 1...Self.seeds
    )
    func same(seed: UInt64) {
        var work = RandomFleetWork(seed: seed, kills: seed.isMultiple(of: 2))
        for phase in 1...Self.phases {
            work.doPhase(events: Self.events)
            let problems = work.problems()
            guard problems.isEmpty else {
                Issue.record(
                    """
                    seed \(seed), phase \(phase):
                    \(problems.prefix(12).joined(separator: "\n"))
                    \(work.history.joined(separator: "\n"))
                    """
                )
                return
            }
        }
    }
}

extension RandomFleetWork {
    /// In what the hosts differ from each other, and from one broker.
    mutating func problems() -> [String] {
        let seen = fleet.look()
        guard let one = alone.look()[0] else { return ["one broker shows nothing"] }
        let boards = seen.compactMap { $0 }
        guard boards.count == seen.count else { return ["a host shows nothing"] }
        var problems: [String] = []
        for (host, board) in boards.enumerated().dropFirst() {
            problems += Self.differences(
                board.filter { hostOfJob[$0.title] != nil }.map { $0.timeless },
                boards[0].filter { hostOfJob[$0.title] != nil }.map { $0.timeless },
                "host \(host) and host 0"
            )
        }
        // What is below a job is listed by the host where it began, as far as it runs there.
        let jobs = boards.enumerated().flatMap { host, board in
            board.filter { hostOfJob[$0.title] == host }.map { listed($0, by: host) }
        }
        let others = one.filter { hostOfJob[$0.title] != nil }.map {
            listed($0, by: hostOfJob[$0.title])
        }
        problems += Self.differences(jobs, others, "the fleet and one broker")
        return problems
    }

    private func listed(_ task: TaskSnapshot, by host: Int?) -> TaskSnapshot {
        var copy = task.comparable
        let isThere = hostOfTask[task.title] == host
        copy.children = isThere ? task.children.map { listed($0, by: host) } : []
        return copy
    }

    private static func differences(
        _ some: [TaskSnapshot],
        _ others: [TaskSnapshot],
        _ path: String
    ) -> [String] {
        var problems: [String] = []
        let byTitle = Dictionary(
            others.map { ($0.title, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for task in some {
            guard let other = byTitle[task.title] else {
                problems.append("\(path): \(task.title) only at the first, \(task.state)")
                continue
            }
            var (one, two) = (task, other)
            let children = (one.children, two.children)
            (one.children, two.children) = ([], [])
            if one != two {
                problems += zip(Mirror(reflecting: one).children, Mirror(reflecting: two).children)
                    .filter { "\($0.value)" != "\($1.value)" }
                    .map { "\(path): \(task.title): \($0.label ?? ""): \($0.value), \($1.value)" }
            }
            problems += differences(children.0, children.1, "\(path), \(task.title)")
        }
        let titles = Set(some.map(\.title))
        for task in others where !titles.contains(task.title) {
            problems.append("\(path): \(task.title) only at the second, \(task.state)")
        }
        return problems
    }
}

extension TaskSnapshot {
    /// The row, without what depends on when and where one looks.
    fileprivate var timeless: TaskSnapshot {
        var copy = self
        (copy.elapsed, copy.active, copy.secondsSinceAdvance) = (nil, nil, nil)
        (copy.secondsLeft, copy.rate, copy.displayFraction) = (nil, nil, 0)
        copy.madeAt = Moment(nanoseconds: 0)
        copy.children = []
        return copy
    }

    /// What is the same in two worlds with other ids.
    fileprivate var comparable: TaskSnapshot {
        var copy = TaskSnapshot(
            id: TaskID(index: 1, session: SessionID(rawValue: 1)),
            title: title
        )
        (copy.state, copy.isSilent, copy.needsAttention) = (state, isSilent, needsAttention)
        (copy.isIndeterminate, copy.fraction) = (isIndeterminate, fraction)
        (copy.completed, copy.total, copy.share) = (completed, total, share)
        (copy.attempt, copy.counts, copy.note) = (attempt, counts, note)
        (copy.sums, copy.attentionBelow, copy.isOrphan) = (sums, attentionBelow, isOrphan)
        return copy
    }
}
