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
