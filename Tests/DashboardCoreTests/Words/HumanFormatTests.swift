import Testing

@testable import DashboardCore

@Suite("Numbers and durations for people")
struct HumanFormatTests {
    @Test(
        "I-3: an estimate has one format per magnitude and no false precision",
        arguments: [
            (0, "a few seconds"), (7.9, "a few seconds"), (8, "about 10 s"), (18.7, "about 20 s"),
            (57, "about 55 s"), (58, "about 1 min"), (240, "about 4 min"), (5_400, "about 90 min"),
            (7_200, "about 2 h"), (100_000, "about 28 h"), (400_000, "about 5 days"),
            (Double.infinity, "a very long time"),
        ]
    )
    func estimates(seconds: Double, text: String) {
        #expect(HumanTime.about(seconds) == text)
    }

    @Test(
        "a measured duration is said as it was",
        arguments: [
            (-1, "0 s"), (0.4, "0 s"), (14, "14 s"), (119, "119 s"), (240, "4 min"),
            (7_500, "2 h"), (200_000, "2 days"),
        ]
    )
    func durations(seconds: Double, text: String) {
        #expect(HumanTime.duration(seconds) == text)
    }

    @Test(
        "bytes come in steps of a thousand, rounded before the step is chosen",
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (1_240, "1.2 kB"),
            (9_960, "10 kB"), (310_000_000, "310 MB"), (999_700, "1 MB"),
            (1_200_000_000, "1.2 GB"), (9e18, "9 EB"),
        ]
    )
    func bytes(number: Double, text: String) {
        #expect(HumanNumbers.bytes(number) == text)
    }

    @Test("counts have groups of three digits")
    func groups() {
        #expect(HumanNumbers.grouped(0) == "0")
        #expect(HumanNumbers.grouped(999) == "999")
        #expect(HumanNumbers.grouped(12_400) == "12,400")
        #expect(HumanNumbers.grouped(-1_234_567) == "-1,234,567")
        #expect(HumanNumbers.grouped(Int64.min) == "-9,223,372,036,854,775,808")
    }

    @Test("a rate below one in ten seconds is told per minute or hour, none not at all")
    func rates() {
        #expect(HumanNumbers.rate(3.14, unit: "files") == "3.1 files/s")
        #expect(HumanNumbers.rate(1_234, unit: "") == "1,234/s")
        #expect(HumanNumbers.rate(0.05, unit: "files") == "3 files/min")
        #expect(HumanNumbers.rate(0.01, unit: "files") == "36 files/h")
        #expect(HumanNumbers.rate(12_000_000, unit: "bytes") == "12 MB/s")
        #expect(HumanNumbers.rate(0, unit: "files") == nil)
        #expect(HumanNumbers.rate(1e-6, unit: "files") == nil)
    }

    @Test("a percentage is never more than is done")
    func percents() {
        #expect(HumanNumbers.wholePercent(0.29) == 29)
        #expect(HumanNumbers.wholePercent(0.999) == 99)
        #expect(HumanNumbers.wholePercent(1) == 100)
        #expect(HumanNumbers.wholePercent(.nan) == 0)
    }

    @Test("text of other processes cannot steer the terminal")
    func cleanText() {
        #expect(PlainText.clean("a\u{1B}[2Jb\nc\u{9B}d\u{202E}e") == "a [2Jb c d e")
        #expect(PlainText.clean("Größe 東京 👩‍👩‍👧") == "Größe 東京 👩‍👩‍👧")
        #expect(PlainText.cut("abcdefgh", to: 6) == "abc...")
        #expect(PlainText.cut("abcdef", to: 6) == "abcdef")
        #expect(PlainText.cut("東京都庁", to: 6) == "東...")
    }

    @Test("I-3, I-6: an estimate of time is marked as one in columns too, and never cut")
    func shortEstimates() {
        #expect(HumanTime.estimate(240) == Measure("~4", "min"))
        #expect(HumanTime.estimate(18.7) == Measure("~20", "s"))
        #expect(HumanTime.estimate(7_200) == Measure("~2", "h"))
        #expect(HumanTime.estimate(400_000) == Measure("~5", "days"))
        #expect(HumanTime.estimate(3) == Measure("<10", "s"))
        for seconds in stride(from: 8.0, to: 1e7, by: 1_237) {
            #expect(HumanTime.about(seconds).hasPrefix("about "), "\(seconds)")
            #expect(HumanTime.estimate(seconds).number.hasPrefix("~"), "\(seconds)")
        }
    }

    @Test("what is done never looks like all there is")
    func ratios() {
        #expect(HumanNumbers.ratio(1_200, of: 34_000, unit: "files") == "1,200 of 34,000 files")
        let bytes = HumanNumbers.ratio(310_000_000, of: 1_200_000_000, unit: "bytes")
        #expect(bytes == "310 MB of 1.2 GB")
        #expect(HumanNumbers.ratio(1_990_000, of: 2_000_000, unit: "bytes") == "1.9 MB of 2 MB")
        #expect(HumanNumbers.compact(999_999, rounded: .down) == "999k")
        #expect(HumanNumbers.compact(0) == "0")
        #expect(HumanNumbers.compact(999, rounded: .down) == "999")
        #expect(HumanNumbers.compact(9_999, rounded: .down) == "9.9k")
        #expect(HumanNumbers.compact(.max) == "9.2E")
        #expect(HumanNumbers.compact(.min) == "-9.2E")
    }

    @Test("I-6: an estimated total is marked")
    func estimatedTotals() {
        let text = HumanNumbers.ratio(1_200, of: 34_000, unit: "files", isEstimate: true)
        #expect(text == "1,200 of about 34,000 files")
    }
}
