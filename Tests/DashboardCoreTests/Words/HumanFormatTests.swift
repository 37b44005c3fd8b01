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
        #expect(HumanTime.estimates(seconds)[0] == text)
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

    @Test("I-3, I-6: an estimate of time is marked as one in every length, and never cut")
    func shortEstimates() {
        #expect(HumanTime.estimates(240) == ["about 4 min", "~4 min", "~4m"])
        #expect(HumanTime.estimates(18.7) == ["about 20 s", "~20 s", "~20s"])
        #expect(HumanTime.estimates(7_200) == ["about 2 h", "~2 h", "~2h"])
        #expect(HumanTime.estimates(400_000) == ["about 5 days", "~5 days", "~5d"])
        #expect(HumanTime.estimates(3) == ["a few seconds", "<10 s", "<10s"])
        for seconds in stride(from: 8.0, to: 1e7, by: 1_237) {
            for form in HumanTime.estimates(seconds) {
                #expect(form.hasPrefix("about ") || form.hasPrefix("~"), "\(form)")
            }
        }
    }

    @Test("amounts come in several lengths, what is done never looks like all there is")
    func ratios() {
        #expect(
            HumanNumbers.ratios(1_200, of: 34_000, unit: "files") == [
                "1,200 of 34,000 files", "1,200/34,000 files", "1,200/34,000", "1.2k/34k",
            ]
        )
        #expect(
            HumanNumbers.ratios(310_000_000, of: 1_200_000_000, unit: "bytes") == [
                "310 MB of 1.2 GB", "310 MB/1.2 GB", "310M/1.2G",
            ]
        )
        #expect(HumanNumbers.ratios(999_999, of: 1_000_000, unit: "").last == "999k/1M")
        let bytes = HumanNumbers.ratios(1_990_000, of: 2_000_000, unit: "bytes")
        #expect(bytes.first == "1.9 MB of 2 MB")
        #expect(HumanNumbers.compact(0) == "0")
        #expect(HumanNumbers.compact(999, rounded: .down) == "999")
        #expect(HumanNumbers.compact(9_999, rounded: .down) == "9.9k")
        #expect(HumanNumbers.compact(.max) == "9.2E")
        #expect(HumanNumbers.compact(.min) == "-9.2E")
    }

    @Test("I-6: an estimated total is marked in every length")
    func estimatedTotals() {
        let forms = HumanNumbers.ratios(1_200, of: 34_000, unit: "files", isEstimate: true)
        #expect(
            forms == [
                "1,200 of about 34,000 files", "1,200/~34,000 files", "1,200/~34,000", "1.2k/~34k",
            ]
        )
    }
}
