@testable import OutputReading
import Testing

@Suite("The user's own pattern") struct PatternTests {
    @Test(
        "names in braces take what stands there",
        arguments: [
            ("{completed}/{total}", "at 12/345 now", ProgressSample.amount(12, of: 345)),
            (
                "{completed} of {total} {unit}", "1,234  of 56,789 rows, fine",
                .amount(1_234, of: 56_789, unit: "rows,")
            ),
            ("{part}: {percent}%", "now: disk: 37.5%", .percent(3_750, of: "disk")),
            ("step {completed}", "a step, step 12", .amount(12, of: nil)),
            ("[{percent} %] {detail}", "[ 7 %] x", nil),
            (
                "[ {percent} %] {detail}", "[   7 %] copy a b",
                .percent(700).with(detail: "copy a b")
            ),
            ("{detail}: {percent}%", "copy a b: 7%", .percent(700).with(detail: "copy a b")),
            ("{percent}%", "150%", nil),
            ("{percent}%", "1844674407370955162.0%", nil),
            ("{percent}%", "no number %", nil),
            ("{completed} ü", "3 ü", .amount(3, of: nil)),
            ("{part} {percent}%", "37%", nil),
        ]
    )
    func matches(pattern: String, line: String, sample: ProgressSample?) throws {
        var reader = try OutputReader(choice: .pattern(pattern))
        #expect(reader.read(line + "\n") == (sample.map { [$0] } ?? []))
    }

    @Test(
        "a pattern that cannot be used is answered in words",
        arguments: [
            ("", "does not say what is what"), ("100 of 200", "does not say what is what"),
            ("{percent", "a { has no }"), ("{percnt}%", "there is no {percnt}"),
            ("{}", "there is no {}"),
            ("{completed}{total}", "nothing is between {completed} and {total}"),
            ("{total} {total}", "twice"),
        ]
    )
    func refusals(pattern: String, words: String) {
        let error = #expect(throws: AdapterError.self) {
            try OutputReader(choice: .pattern(pattern))
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(
        "the time is bounded by the lines, whatever they are",
        arguments: ["a{part}b {percent}%", "{part}-{percent}%", "a{detail}b{percent}c"]
    )
    func time(pattern: String) throws {
        var reader = try OutputReader(choice: .pattern(pattern))
        let line = String(repeating: "a", count: 10_000) + "\n"
        let clock = ContinuousClock()
        let took = clock.measure {
            for _ in 0..<100 { #expect(reader.read(line).isEmpty) }
        }
        #expect(took < .seconds(20), "a megabyte took \(took)")
    }
}
