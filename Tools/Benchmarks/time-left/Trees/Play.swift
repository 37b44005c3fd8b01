import Foundation
import TaskTree
import TimeLeft
import TestSupport

/// Plays a job: workers take parts in order and report.
///
/// The tree and what is observed of it are the broker's. Time passes in quarters of a second, as
/// in the broker's ticks under load.
struct Play {
    /// What was seen of the job at one moment.
    struct Sight {
        var time: Double
        var fraction: Double
        /// Seconds left as the broker tells them.
        var told: Double?
    }

    private struct Worker {
        var comes: Double
        var part: Int?
    }

    private static let tick = 0.25
    private static let session = SessionID(rawValue: 1)

    private let shape: Shape
    private var random: SplitMix64
    private var tree = ProgressTree()
    private var seen: [TaskID: TaskObservation] = [:]
    private var workers: [Worker]
    private var done: [Double]
    private var nextPart = 0
    private var version: UInt64 = 0
    private var time = 0.0

    init(_ shape: Shape, seed: UInt64) {
        self.shape = shape
        random = SplitMix64(seed: seed)
        workers = shape.workers.map { Worker(comes: $0) }
        done = shape.parts.map { _ in 0 }
    }

    /// Everything until the last part has ended; the last sight's time is when.
    mutating func play() -> [Sight] {
        begin()
        var sights: [Sight] = []
        while nextPart < shape.parts.count || workers.contains(where: { $0.part != nil }) {
            takeParts()
            settle()
            sights.append(sight())
            time += Self.tick
            work()
        }
        settle()
        sights.append(sight())
        return sights
    }

    private let job = TaskID(index: 0, session: Play.session)

    private func id(ofPart part: Int) -> TaskID {
        TaskID(index: UInt64(1_000 + part), session: Self.session)
    }

    private func id(ofGroup group: Int) -> TaskID {
        TaskID(index: UInt64(1 + group), session: Self.session)
    }

    private func worth(_ parts: Range<Int>) -> Int64 {
        shape.parts[parts].reduce(0) { $0 + $1.share }
    }

    private func parts(ofGroup group: Int, size: Int) -> Range<Int> {
        group * size..<min(shape.parts.count, (group + 1) * size)
    }

    private mutating func begin() {
        describe(job, TaskDescription(parent: .none, title: "job"))
        measure(job, 0, of: worth(shape.parts.indices))
        if shape.areBegunAtOnce { shape.parts.indices.forEach { beginPart($0) } }
    }

    /// Idle workers that have come take the next parts; those of a new group once the former ended.
    private mutating func takeParts() {
        for worker in workers.indices where workers[worker].part == nil {
            guard nextPart < shape.parts.count, workers[worker].comes <= time, mayBegin(nextPart)
            else { continue }
            if !shape.areBegunAtOnce { beginPart(nextPart) }
            workers[worker].part = nextPart
            nextPart += 1
        }
    }

    private func mayBegin(_ part: Int) -> Bool {
        guard let size = shape.groupSize, part % size == 0 else { return true }
        return workers.allSatisfy { $0.part == nil }
    }

    private mutating func beginPart(_ part: Int) {
        var parent = job
        if let size = shape.groupSize {
            let group = part / size
            parent = id(ofGroup: group)
            if part % size == 0 {
                let worth = worth(parts(ofGroup: group, size: size))
                var description = TaskDescription(parent: .task(job), title: "group")
                description.share = worth
                describe(parent, description)
                measure(parent, 0, of: worth)
            }
        }
        var description = TaskDescription(parent: .task(parent), title: "part")
        description.share = shape.parts[part].share
        describe(id(ofPart: part), description)
        if shape.parts[part].tells { measure(id(ofPart: part), 0, of: 1_000) }
    }

    /// A quarter of a second of everybody's work.
    private mutating func work() {
        let busy = workers.count { $0.part != nil }
        let speed = min(1, shape.bandwidth / Double(max(1, busy)))
        for worker in workers.indices {
            guard let part = workers[worker].part else { continue }
            done[part] += Self.tick * speed * exp(0.2 * random.normal())
            let fraction = done[part] / shape.parts[part].cost
            if fraction >= 1 {
                end(part)
                workers[worker].part = nil
            } else if shape.parts[part].tells {
                measure(id(ofPart: part), Int64(fraction * 1_000), of: 1_000)
            }
        }
    }

    private mutating func end(_ part: Int) {
        succeed(id(ofPart: part))
        guard let size = shape.groupSize else { return }
        let group = part / size
        let parts = parts(ofGroup: group, size: size)
        let isOver = parts.allSatisfy { done[$0] >= shape.parts[$0].cost }
        if isOver { succeed(id(ofGroup: group)) }
    }

    private mutating func describe(_ id: TaskID, _ description: TaskDescription) {
        version += 1
        tree.describe(id, description, version: version)
    }

    private mutating func measure(_ id: TaskID, _ completed: Int64, of total: Int64) {
        version += 1
        tree.measure(id, TaskAmounts(completed: completed, total: total), version: version)
    }

    private mutating func succeed(_ id: TaskID) {
        version += 1
        tree.state(id, .succeeded, version: version)
    }

    // MARK: What the broker sees

    private var now: Moment { Moment(nanoseconds: 0).advanced(bySeconds: time) }

    private mutating func settle() {
        for id in tree.settle().progressed {
            guard let view = tree.view(id) else { continue }
            var observation = seen[id] ?? TaskObservation(at: now)
            let telling = observation.observe(
                completed: view.amounts.completed,
                total: view.amounts.total,
                fraction: view.fraction,
                load: view.load,
                state: view.state,
                advanced: true,
                at: now
            )
            seen[id] = observation
            if let parent = view.parent, case .seconds(let left) = telling {
                let now = now
                seen[parent]?.noteChild(id, secondsLeft: left, at: now)
            }
        }
    }

    private func sight() -> Sight {
        Sight(
            time: time,
            fraction: tree.view(job)?.fraction ?? 0,
            told: seen[job]?.secondsLeft(at: now)
        )
    }
}
