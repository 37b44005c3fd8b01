import OutputReading
import Testing

@testable import ProgressBusCommand

@Suite("What of a command's output is looked at")
struct OutputSamplerTests {
    private func take(_ text: String, into sampler: inout OutputSampler) -> Int {
        Array(text.utf8).withUnsafeBytes { sampler.take($0) }
    }

    @Test("little is looked at as it comes")
    func little() {
        var sampler = OutputSampler(budget: 100, tail: 10)
        #expect(take("a\nb\n", into: &sampler) == 4)
        #expect(sampler.tick().isEmpty)
    }

    @Test("of much: the beginning, and at the tick's end the newest whole lines")
    func much() {
        var sampler = OutputSampler(budget: 6, tail: 12)
        #expect(take("12345678", into: &sampler) == 6)
        #expect(take("abc", into: &sampler) == 0)
        for number in 10..<100 { #expect(take("line \(number)\n", into: &sampler) == 0) }
        #expect(String(decoding: sampler.tick(), as: UTF8.self) == "\nline 99\n")
    }

    @Test("after a tick of much, only what the tick ends with, from where a line begins")
    func flood() {
        var sampler = OutputSampler(budget: 6, tail: 12)
        _ = take("12345678\n", into: &sampler)
        _ = sampler.tick()
        #expect(take("new\n", into: &sampler) == 0)
        #expect(String(decoding: sampler.tick(), as: UTF8.self) == "\nnew\n")
        #expect(take("now", into: &sampler) == 3, "little came in the tick before")
    }

    @Test("after a tick of much, the rest of a line that has begun is none")
    func brokenLine() {
        var sampler = OutputSampler(budget: 6, tail: 12)
        _ = take("12345678 cut he", into: &sampler)
        _ = sampler.tick()
        #expect(take("re\nnew\n", into: &sampler) == 0)
        #expect(String(decoding: sampler.tick(), as: UTF8.self) == "\nnew\n")
    }

    @Test("a tail without a whole line says nothing")
    func noLine() {
        var sampler = OutputSampler(budget: 1, tail: 8)
        _ = take(String(repeating: "x", count: 1_000), into: &sampler)
        #expect(sampler.tick().isEmpty)
    }
}

@Suite("What was found out, put together")
struct SampleLedgerTests {
    private func sample(
        _ part: String?,
        _ completed: Int64?,
        isDone: Bool = false
    ) -> ProgressSample {
        var sample = ProgressSample(part: part)
        sample.completed = completed
        sample.isDone = isDone
        return sample
    }

    @Test("many samples of a part in a tick are one, the newest; what is not said stays")
    func conflation() {
        var ledger = SampleLedger()
        var first = sample("a", 1)
        first.total = 10
        first.unit = "files"
        first.detail = "x"
        ledger.take(first)
        for number in 2...9 { ledger.take(sample("a", Int64(number))) }
        #expect(!ledger.isEmpty)
        var merged = first
        merged.completed = 9
        #expect(
            ledger.drain() == [
                .begin(part: "a", unit: "files", total: 10, isEstimate: false, counts: false),
                .update(merged),
            ]
        )
        #expect(ledger.isEmpty && ledger.drain().isEmpty)
        ledger.take(sample("a", 10, isDone: true))
        #expect(
            ledger.drain() == [.update(sample("a", 10, isDone: true)), .succeed(part: "a")]
        )
        ledger.take(sample("a", 11))
        #expect(ledger.isEmpty, "what is done says nothing more")
    }

    @Test("parts are expected only where the command has no amounts of its own")
    func expectation() {
        var counted = sample(nil, nil)
        counted.expectedParts = 3
        var ledger = SampleLedger()
        ledger.take(counted)
        #expect(ledger.drain() == [.update(counted), .expectParts(3)])
        ledger.take(counted)
        #expect(ledger.drain() == [.update(counted)])
        var other = SampleLedger()
        other.take(sample(nil, 5))
        #expect(other.drain() == [.update(sample(nil, 5))])
        other.take(counted)
        #expect(other.drain() == [.update(counted)])
    }

    @Test("parts count where the command has nothing but them and their number")
    func counting() {
        var counted = sample(nil, nil)
        counted.expectedParts = 3
        var ledger = SampleLedger()
        ledger.take(counted)
        ledger.take(sample("a", 1))
        #expect(
            ledger.drain().contains(
                .begin(part: "a", unit: nil, total: nil, isEstimate: false, counts: true)
            )
        )
    }

    @Test("what was said is taken back, and what is said from then on holds")
    func takingBack() {
        var ledger = SampleLedger()
        var first = sample(nil, 5)
        first.total = 10
        first.detail = "x"
        ledger.take(first)
        var unknown = sample(nil, nil)
        unknown.isUnknown = true
        ledger.take(unknown)
        ledger.take(sample(nil, 1))
        var all = sample(nil, 1)
        all.isUnknown = true
        all.detail = "x"
        #expect(ledger.drain() == [.update(all)])
    }

    @Test("no output makes it grow without a bound")
    func bound() {
        var ledger = SampleLedger(partLimit: 10)
        for number in 0..<1_000 { ledger.take(sample("part \(number)", 1)) }
        #expect(ledger.drain().count == 20)
        for number in 1_000..<2_000 { ledger.take(sample("part \(number)", 1)) }
        #expect(ledger.isEmpty)
        ledger.take(sample("part 3", 2))
        #expect(ledger.drain() == [.update(sample("part 3", 2))])
    }
}
