@testable import OutputReading
import Testing

@Suite struct KnownSamplesTests {
    private static func tell(
        _ samples: [ProgressSample],
        to all: inout KnownSamples
    ) -> [ProgressSample] {
        for sample in samples { all.take(sample) }
        return all.tell()
    }

    @Test func onlyTheNewestOfEachPartIsToldInTheOrderOfAppearance() {
        var all = KnownSamples()
        let told = Self.tell(
            [
                .amount(1, of: 10, part: "b"), .amount(1, of: 5, part: "a"),
                .amount(2, of: 10, part: "b"), .amount(7, part: "b").with(detail: "x"),
            ],
            to: &all
        )
        #expect(
            told == [.amount(7, of: 10, part: "b").with(detail: "x"), .amount(1, of: 5, part: "a")]
        )
        #expect(Self.tell([.amount(7, of: 10, part: "b")], to: &all).isEmpty)
    }

    @Test func whatFallsOrIsImpossibleIsIgnored() {
        var all = KnownSamples()
        _ = Self.tell([.amount(50, of: 100)], to: &all)
        #expect(Self.tell([.amount(40, of: 100)], to: &all).isEmpty)
        #expect(Self.tell([.amount(-1, of: -5)], to: &all).isEmpty)
        #expect(Self.tell([.amount(.max)], to: &all) == [.amount(100)])
        // A total that is less than what is done.
        #expect(Self.tell([.amount(nil, of: 20)], to: &all).isEmpty)
    }

    @Test func anotherUnitBeginsAnew() {
        var all = KnownSamples()
        _ = Self.tell([.percent(9_000)], to: &all)
        #expect(
            Self.tell([.amount(1, of: 9, unit: "files")], to: &all)
                == [.amount(1, of: 9, unit: "files")]
        )
    }

    @Test func aPartThatBeginsAgainIsAnotherOne() {
        var all = KnownSamples()
        _ = Self.tell([.amount(5, of: 5, part: "batch").done()], to: &all)
        #expect(
            Self.tell([.amount(1, of: 5, part: "batch")], to: &all)
                == [.amount(1, of: 5, part: "batch (2)")]
        )
        // It was left at one of five.
        #expect(
            Self.tell([.amount(0, of: 5, part: "batch")], to: &all)
                == [ProgressSample(part: "batch (2)").done(), .amount(0, of: 5, part: "batch (3)")]
        )
    }

    @Test func theEndOfTheCommandIsNoFinding() {
        var all = KnownSamples()
        #expect(Self.tell([.amount(5, of: 5).done()], to: &all) == [.amount(5, of: 5)])
    }

    @Test func partsAndTextsAreBounded() {
        var all = KnownSamples()
        var names = Set<String>()
        for number in 0..<5_000 {
            let told = Self.tell([.amount(1, of: 2, part: "part \(number)")], to: &all)
            for sample in told { names.insert(sample.part ?? "-") }
        }
        #expect(names.count <= KnownSamples.mostParts + 1)
        for _ in 0..<5_000 {
            let told = Self.tell(
                [.amount(1, of: 1, part: "part 1"), .amount(0, of: 1, part: "part 1")],
                to: &all
            )
            for sample in told { names.insert(sample.part ?? "-") }
        }
        #expect(names.count <= KnownSamples.mostParts + 1)
        // One character to the eye.
        let long = "e" + String(repeating: "\u{301}", count: 4_000)
        let told = Self.tell([ProgressSample().with(detail: long)], to: &all)
        #expect(told.first?.detail.map { $0.utf8.count <= KnownSamples.longestText } == true)
    }
}
