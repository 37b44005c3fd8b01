import Foundation
import ProgressBus
import TaskTree
import TestSupport

/// Tasks in states that nobody has thought of, from a seed.
struct RandomTasks {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A job with a few children.
    mutating func job() -> TaskSnapshot {
        var job = task(in: nil)
        job.children = (0..<Int.random(in: 0...3, using: &random)).map { _ in task(in: job) }
        return job
    }

    /// How the tasks of some job are spread over hosts, if that is known.
    mutating func hosts() -> JobHosts? {
        var counts = StateCounts()
        counts.failed = .random(in: 0...9, using: &random)
        var spread = JobHosts(hosts: [.init(name: words(), counts: counts)])
        spread.otherHosts = .random(in: 0...9, using: &random)
        spread.others = counts
        spread.isPartial = .random(using: &random)
        return maybe { _ in spread }
    }

    /// A message of some task.
    mutating func message() -> TaskMessage {
        TaskMessage(task: id(), job: id(), text: words(), time: date())
    }

    private mutating func task(in parent: TaskSnapshot?) -> TaskSnapshot {
        var task = TaskSnapshot(id: id(), job: parent?.job, title: words())
        task.parent = parent?.id
        task.depth = parent == nil ? 0 : 1
        task.key = words()
        task.slot = maybe { Int.random(in: 1...9_999, using: &$0) }
        task.place = maybe { Int.random(in: 1...9_999, using: &$0) }
        task.detail = words()
        task.unit = words()
        task.state = TaskState.allCases.randomElement(using: &random) ?? .running
        task.isStalled = .random(using: &random)
        task.isSilent = .random(using: &random)
        task.needsAttention = .random(using: &random)
        task.isIndeterminate = .random(using: &random)
        task.isOrphan = .random(using: &random)
        task.note = words()
        task.options = options()
        addAmounts(to: &task)
        addTimes(to: &task)
        task.counts.running = .random(in: 0...9, using: &random)
        task.sums = [UnitSum(unit: words(), completed: amount(), total: amount())]
        task.attentionBelow = .random(in: 0...9, using: &random)
        task.childrenLeftOut = .random(in: 0...9, using: &random)
        return task
    }

    private mutating func options() -> TaskOptions {
        TaskOptions(
            style: .random(using: &random) ? .bar : .spinner,
            isBackground: .random(using: &random),
            tint: words(),
            isCancellable: .random(using: &random),
            isPausable: .random(using: &random),
            consequence: words(),
            host: words(),
            expectedGap: maybe { .milliseconds(Int.random(in: 1...1 << 40, using: &$0)) },
            expectedChildren: maybe { Int.random(in: 0...9_999, using: &$0) },
            totalIsEstimate: .random(using: &random)
        )
    }

    private mutating func addAmounts(to task: inout TaskSnapshot) {
        task.fraction = .random(in: 0...2, using: &random)
        task.displayFraction = .random(in: 0...1, using: &random)
        task.completed = amount()
        task.total = maybe { Int64.random(in: 0 ... .max, using: &$0) }
        task.totalBefore = maybe { Int64.random(in: 0 ... .max, using: &$0) }
        task.share = maybe { Int64.random(in: 0...1 << 48, using: &$0) }
        task.attempt = .random(in: 1...9, using: &random)
        task.earlierAttempts = task.attempt - 1
        task.rate = maybe { Double.random(in: 0...1e9, using: &$0) }
    }

    private mutating func addTimes(to task: inout TaskSnapshot) {
        task.secondsLeft = seconds()
        task.elapsed = seconds()
        task.active = seconds()
        task.secondsSinceAdvance = seconds()
        task.startedAt = .random(using: &random) ? date() : nil
        task.endedAt = .random(using: &random) ? date() : nil
        task.reason = .random(using: &random) ? words() : nil
        let exits: [TaskSnapshot.Exit?] = [nil, .status(0), .status(255), .signal(9)]
        task.exit = exits.randomElement(using: &random) ?? nil
        let process = TaskSnapshot.Process(host: words(), pid: 1, command: words())
        task.process = .random(using: &random) ? process : nil
    }

    private mutating func maybe<Value>(_ make: (inout SplitMix64) -> Value) -> Value? {
        Bool.random(using: &random) ? make(&random) : nil
    }

    private mutating func seconds() -> Double? { maybe { .random(in: 0...1e9, using: &$0) } }

    private mutating func amount() -> Int64 { .random(in: 0 ... .max, using: &random) }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: .random(in: 0...4e9, using: &random))
    }

    private mutating func words() -> String {
        ["", "Copy", "a \"b\" \\ c", "Größe 日本 🎉", "\u{1}\t"].randomElement(using: &random) ?? ""
    }

    private mutating func id() -> TaskID {
        let session = SessionID(rawValue: .random(in: 1 ... .max, using: &random))
        return TaskID(index: .random(in: 1...1 << 40, using: &random), session: session)
    }
}
