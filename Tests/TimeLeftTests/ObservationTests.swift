import TaskTree

@testable import TimeLeft
import TestSupport
import Testing

/// What is seen over time: stall, rate, time left, the fraction to draw.
@Suite struct ObservationTests {
    private func at(_ seconds: Double) -> Moment {
        Moment(nanoseconds: 0).advanced(bySeconds: seconds)
    }

    private func see(
        _ observation: inout TaskObservation,
        _ completed: Int64,
        of total: Int64? = 100,
        _ state: TaskState = .running,
        advanced: Bool = true,
        at seconds: Double
    ) {
        let fraction = total.map { Double(completed) / Double($0) } ?? 0
        observation.observe(
            completed: completed,
            total: total,
            fraction: fraction,
            load: Workload(done: Double(completed), extent: total.map(Double.init)),
            state: state,
            advanced: advanced,
            at: at(seconds)
        )
    }

    @Test func `what came since the last block counts as soon as somebody asks`() throws {
        var often = TaskObservation(at: at(0))
        var seldom = TaskObservation(at: at(0))
        see(&often, 0, of: 1_000, at: 0)
        see(&seldom, 0, of: 1_000, at: 0)
        // 20 advances a second, of which one in four is told to the other one.
        for step in 1...800 {
            let seconds = Double(step) / 20
            see(&often, Int64(step), of: 1_000, at: seconds)
            if step % 4 == 0 { see(&seldom, Int64(step), of: 1_000, at: seconds) }
        }
        let (fraction, other) = (
            often.displayFraction(at: at(40)), seldom.displayFraction(at: at(40))
        )
        #expect(abs(fraction - other) < 0.02, "\(fraction) and \(other)")
        let left = try #require(often.secondsLeft(at: at(40)))
        let same = try #require(seldom.secondsLeft(at: at(40)))
        #expect(abs(left - 10) < 1 && abs(left - same) < 1, "\(left) and \(same)")
        let rate = try #require(often.rate(at: at(40)))
        #expect(abs(rate - 20) < 0.5, "\(rate)")
        // A leap within a block is told of at once.
        let drawn = often.displayFraction(at: at(40))
        see(&often, 900, of: 1_000, at: 40.01)
        #expect(often.displayFraction(at: at(40.01)) >= drawn)
        let nearer = try #require(often.secondsLeft(at: at(40.01)))
        #expect(nearer < left)
    }

    @Test func `advances between blocks show that it is not stalled`() {
        var task = TaskObservation(at: at(0))
        see(&task, 0, at: 0)
        for step in 1...60 { see(&task, Int64(step), at: Double(step)) }
        see(&task, 61, at: 60.01)
        #expect(!task.isStalled(expectedGap: 2, hasTotal: true, at: at(62)))
        #expect(task.isStalled(expectedGap: 2, hasTotal: true, at: at(62.1)))
        #expect(task.lastAdvance == at(60.01))
    }

    @Test func `the limit is what was expected, else six usual gaps, else a minute with a total`() {
        func limit(
            _ usualGap: Double?,
            after advances: Int,
            expected: Double? = nil,
            hasTotal: Bool = true
        ) -> Double? {
            StallRule.limit(
                usualGap: usualGap,
                advances: advances,
                expectedGap: expected,
                hasTotal: hasTotal
            )
        }
        #expect(limit(3, after: 20, expected: 2, hasTotal: false) == 2)
        #expect(limit(3, after: 20, hasTotal: false) == 18)
        #expect(limit(0.1, after: 20) == 5)
        #expect(limit(0.1, after: 3) == 20, "three quick steps do not tell how long the next takes")
        #expect(limit(nil, after: 1) == 60)
        #expect(limit(nil, after: 0, hasTotal: false) == nil)
        #expect(limit(nil, after: 0, expected: .nan, hasTotal: false) == nil)
    }

    @Test func `a task that stops advancing is stalled after six usual gaps`() {
        var task = TaskObservation(at: at(0))
        see(&task, 0, at: 0)
        #expect(!task.isStalled(expectedGap: nil, hasTotal: true, at: at(59)))
        #expect(task.isStalled(expectedGap: nil, hasTotal: true, at: at(61)))
        #expect(!task.isStalled(expectedGap: nil, hasTotal: false, at: at(1e6)))
        for second in 1...5 { see(&task, Int64(second), at: Double(second) * 2) }
        #expect(
            task.nextStallCheck(expectedGap: nil, hasTotal: true)?.seconds(since: at(22)) ?? 0 > 0
        )
        #expect(!task.isStalled(expectedGap: nil, hasTotal: true, at: at(21)))
        #expect(task.isStalled(expectedGap: nil, hasTotal: true, at: at(22.1)))
        #expect(task.isStalled(expectedGap: 1, hasTotal: true, at: at(11.1)))
        let check = task.nextStallCheck(expectedGap: nil, hasTotal: true)
        #expect(check.map { task.isStalled(expectedGap: nil, hasTotal: true, at: $0) } == true)
    }

    @Test func `paused time counts for nothing`() {
        var task = TaskObservation(at: at(0))
        see(&task, 0, at: 0)
        see(&task, 10, at: 1)
        see(&task, 20, at: 2)
        see(&task, 20, of: 100, .paused, advanced: false, at: 3)
        #expect(task.nextStallCheck(expectedGap: nil, hasTotal: true) == nil)
        #expect(!task.isStalled(expectedGap: nil, hasTotal: true, at: at(1_000)))
        see(&task, 20, advanced: false, at: 1_003)
        #expect(task.active(at: at(1_004)) == 4)
        #expect(!task.isStalled(expectedGap: nil, hasTotal: true, at: at(1_030)))
        #expect(task.isStalled(expectedGap: nil, hasTotal: true, at: at(1_035)))
        #expect(task.rate(at: at(1_004)) ?? 0 > 4)
    }

    @Test func `a task has no rate in its first second, however much it has done at once`() {
        var task = TaskObservation(at: at(0))
        see(&task, 0, of: 100, at: 0)
        see(&task, 42, of: 100, at: 0.1)
        #expect(task.rate(at: at(0.9)) == nil)
        see(&task, 44, of: 100, at: 1.1)
        #expect(task.rate(at: at(1.2)) != nil)
    }

    @Test func `a steady task has its rate and the right time left`() throws {
        var task = TaskObservation(at: at(0))
        #expect(task.rate(at: at(0)) == nil)
        for tick in 0...200 { see(&task, Int64(tick), of: 1_000, at: Double(tick) / 2) }
        let rate = try #require(task.rate(at: at(100)))
        #expect(abs(rate - 2) < 0.01)
        let left = try #require(task.secondsLeft(at: at(100)))
        #expect(abs(left - 400) < 2)
        see(&task, 1_000, of: 1_000, .succeeded, at: 101)
        #expect(task.secondsLeft(at: at(101)) == nil)
        #expect(task.ended == at(101))
    }

    @Test(arguments: [0.05, 0.1, 0.3, 0.5])
    func `what a task begins with says nothing of its pace`(first: Double) throws {
        var task = TaskObservation(at: at(0))
        see(&task, 0, of: 60, at: 0)
        for done in 1...8 { see(&task, Int64(done), of: 60, at: Double(done - 1) + first) }
        let left = try #require(task.secondsLeft(at: at(7 + first)))
        #expect(abs(left - 52) < 5.2, "52 units at one a second")
    }

    @Test func `an end that has passed without a word is not told any more`() throws {
        var task = TaskObservation(at: at(0))
        for done in 0...10 { see(&task, Int64(done), of: 12, at: Double(done)) }
        #expect(task.secondsLeft(at: at(11)) != nil)
        #expect(task.secondsLeft(at: at(14)) == nil, "it should have ended at 12")
        see(&task, 11, of: 12, at: 20)
        #expect(task.secondsLeft(at: at(20)) != nil)
    }

    @Test func `the owner's clock gives the time left at once after a restart`() throws {
        var task = TaskObservation(at: at(1_000))
        task.restore(elapsed: 80, active: 50, sinceAdvance: 3, at: at(1_000))
        see(&task, 25, advanced: false, at: 1_000)
        #expect(task.begun == at(920))
        #expect(task.lastAdvance == at(997))
        let left = try #require(task.secondsLeft(at: at(1_000)))
        #expect(abs(left - 150) < 1e-3)
        task.restore(elapsed: .nan, active: -.infinity, sinceAdvance: 1e300, at: at(1_000))
        #expect(task.active(at: at(1_000)) == 0)
    }

    @Test func `after a restart a task is stalled once it stands for as long as it had advanced`() {
        var task = TaskObservation(at: at(1_000))
        task.restore(elapsed: 320, active: 300, sinceAdvance: 10, at: at(1_000))
        see(&task, 6, of: nil, advanced: false, at: 1_000)
        #expect(!task.isStalled(expectedGap: nil, hasTotal: false, at: at(1_279)))
        #expect(task.isStalled(expectedGap: nil, hasTotal: false, at: at(1_281)))
        #expect(task.isStalled(expectedGap: nil, hasTotal: true, at: at(1_051)))
        var waiting = TaskObservation(at: at(1_000))
        waiting.restore(elapsed: 320, active: 300, sinceAdvance: 300, at: at(1_000))
        see(&waiting, 0, of: nil, advanced: false, at: 1_000)
        #expect(!waiting.isStalled(expectedGap: nil, hasTotal: false, at: at(9_000)))
    }

    @Test func `the drawn fraction goes back where the total grows, and is full only on success`() {
        var task = TaskObservation(at: at(0))
        see(&task, 50, at: 1)
        #expect(task.displayFraction(at: at(1)) == 0.5)
        see(&task, 50, of: 200, at: 2)
        #expect(task.displayFraction(at: at(2)) == 0.25)
        #expect(task.totalBefore == 100)
        // The total has just grown, so that it is expected to grow again.
        see(&task, 300, of: 200, at: 3)
        #expect((0.5...0.99).contains(task.displayFraction(at: at(3))))
        #expect(task.displayFraction(at: at(60)) == 0.99)
        see(&task, 300, of: 200, .succeeded, at: 64)
        #expect(task.displayFraction(at: at(64)) == 1)
        task.beginAttempt(at: at(65))
        #expect(task.displayFraction(at: at(65)) == 0)
        #expect(task.totalBefore == nil)
        see(&task, 100, at: 66)
        #expect(task.displayFraction(at: at(66)) == 0.99)
    }

    @Test(arguments: 1...50)
    func `nothing observed gives a number that is none`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var task = TaskObservation(at: at(0))
        var time = 0.0
        for _ in 0..<200 {
            time += random.oneIn(3) ? 0 : Double.random(in: 0...100, using: &random)
            let state = TaskState.allCases.randomElement(using: &random) ?? .running
            let fractions = [0, 1, .infinity, .nan, -1, 0.5, 1e300]
            task.observe(
                completed: random.oneIn(4) ? .max : Int64.random(in: 0...10, using: &random),
                total: random.oneIn(2) ? nil : Int64.random(in: 0...10, using: &random),
                fraction: fractions.randomElement(using: &random) ?? 0,
                load: Workload(
                    done: fractions.randomElement(using: &random) ?? 0,
                    extent: fractions.randomElement(using: &random)
                ),
                state: state,
                advanced: random.oneIn(2),
                at: at(time)
            )
            let rate = task.rate(at: at(time))
            let left = task.secondsLeft(at: at(time))
            #expect(rate.map { $0 > 0 && $0.isFinite } ?? true, "seed \(seed)")
            #expect(left.map { $0 >= 0 && $0.isFinite } ?? true, "seed \(seed)")
            #expect((0...1).contains(task.displayFraction(at: at(time))), "seed \(seed)")
        }
    }
}
