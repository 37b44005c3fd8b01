import Foundation
import TestSupport

/// One child of a simulated job: what it is worth, and what it really takes.
struct Part {
    var share: Int64 = 1
    /// Seconds of one worker.
    var cost: Double
    /// Whether it says how far it is, or only that it has ended.
    var tells = true
}

/// A simulated job: its parts, who works at them, and what is known beforehand.
struct Shape {
    var parts: [Part]
    /// When each worker comes, in seconds.
    var workers: [Double]
    /// All workers together do no more than this many seconds of work in a second.
    var bandwidth = Double.infinity
    /// Parts are in groups of this many, one group after the other, each a task of its own.
    var groupSize: Int?
    /// All parts are begun at once, and wait for their turn.
    var areBegunAtOnce = false

    /// The kinds of jobs, each with what makes it hard.
    static let kinds: [(name: String, make: @Sendable (inout SplitMix64) -> Shape)] = [
        ("equal parts", equal),
        ("shares fit", sharesFit),
        ("shares are unknown", sharesUnknown),
        ("stragglers", stragglers),
        ("few parts", fewParts),
        ("all at once", allAtOnce),
        ("only endings are told", onlyEndings),
        ("workers join", workersJoin),
        ("groups in turn", groups),
        ("one disk for all", oneDisk),
        ("begun before their turn", begunEarly),
    ]

    private static func equal(_ random: inout SplitMix64) -> Shape {
        job(count: 20...80, &random) { random in 1 + 0.1 * random.normal() }
    }

    private static func sharesFit(_ random: inout SplitMix64) -> Shape {
        var shape = job(count: 15...60, &random) { random in exp(random.normal()) }
        for place in shape.parts.indices {
            let worth = shape.parts[place].cost * 10 * exp(0.4 * random.normal())
            shape.parts[place].share = max(1, Int64(worth))
        }
        return shape
    }

    private static func sharesUnknown(_ random: inout SplitMix64) -> Shape {
        job(count: 20...60, &random) { random in exp(random.normal()) }
    }

    private static func stragglers(_ random: inout SplitMix64) -> Shape {
        job(count: 30...90, &random) { random in
            random.oneIn(20) ? .random(in: 5...12, using: &random) : 1 + 0.2 * random.normal()
        }
    }

    private static func fewParts(_ random: inout SplitMix64) -> Shape {
        let workers = Int.random(in: 3...8, using: &random)
        return job(count: workers + 1...2 * workers, workers: workers, &random) { random in
            exp(0.5 * random.normal())
        }
    }

    private static func allAtOnce(_ random: inout SplitMix64) -> Shape {
        let workers = Int.random(in: 3...12, using: &random)
        return job(count: workers...workers, workers: workers, &random) { random in
            exp(0.7 * random.normal())
        }
    }

    private static func onlyEndings(_ random: inout SplitMix64) -> Shape {
        var shape = job(count: 20...80, &random) { random in exp(0.5 * random.normal()) }
        for place in shape.parts.indices { shape.parts[place].tells = false }
        return shape
    }

    private static func workersJoin(_ random: inout SplitMix64) -> Shape {
        var shape = job(count: 30...90, &random) { random in exp(0.3 * random.normal()) }
        let long = shape.parts.reduce(0) { $0 + $1.cost } / Double(shape.workers.count) / 2
        for place in shape.workers.indices.dropFirst() {
            shape.workers[place] = .random(in: 0...long, using: &random)
        }
        return shape
    }

    private static func groups(_ random: inout SplitMix64) -> Shape {
        var shape = job(count: 30...60, &random) { random in exp(0.5 * random.normal()) }
        shape.groupSize = Int.random(in: 6...12, using: &random)
        return shape
    }

    private static func oneDisk(_ random: inout SplitMix64) -> Shape {
        var shape = job(count: 20...60, &random) { random in exp(0.4 * random.normal()) }
        shape.bandwidth = Double(shape.workers.count) / 2
        return shape
    }

    private static func begunEarly(_ random: inout SplitMix64) -> Shape {
        let workers = Int.random(in: 1...3, using: &random)
        var shape = job(count: 6...30, workers: workers, &random) { random in
            exp(0.3 * random.normal())
        }
        shape.areBegunAtOnce = true
        return shape
    }

    /// Parts of the given relative costs, so many that the job takes 60 to 400 s.
    private static func job(
        count: ClosedRange<Int>,
        workers: Int? = nil,
        _ random: inout SplitMix64,
        cost: (inout SplitMix64) -> Double
    ) -> Shape {
        let workers = workers ?? Int.random(in: 2...8, using: &random)
        let number = Int.random(in: count, using: &random)
        let costs = (0..<number).map { _ in max(0.05, cost(&random)) }
        let duration = exp(Double.random(in: log(60)...log(400), using: &random))
        let scale = duration * Double(workers) / costs.reduce(0, +)
        return Shape(
            parts: costs.map { Part(cost: $0 * scale) },
            workers: Array(repeating: 0, count: workers)
        )
    }
}

extension SplitMix64 {
    /// A normally distributed number, mean 0, deviation 1.
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
    }
}
