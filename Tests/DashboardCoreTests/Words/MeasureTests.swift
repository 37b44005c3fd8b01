import Foundation
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("Numbers and units apart, for columns")
struct MeasureTests {
    private let many = TaskSnapshot.sample {
        $0.completed = 1_200
        $0.total = 34_000
        $0.bothFractions = 1_200.0 / 34_000
        $0.rate = 3_140
    }

    @Test(
        "an amount becomes shorter where its number has no room, and keeps its unit",
        arguments: [(12, "1,200/34,000"), (11, "1.2k/34k"), (8, "1.2k/34k"), (7, nil)]
    )
    func amount(width: Int, number: String?) {
        #expect(many.words().amount(width: width) == number.map { Measure($0, "files") })
    }

    @Test("bytes have their prefix with the unit")
    func bytes() {
        let row = TaskSnapshot.sample {
            $0.unit = "bytes"
            $0.completed = 310_000_000
            $0.total = 1_200_000_000
            $0.bothFractions = 0.258
            $0.rate = 2_400_000
        }
        #expect(row.words().amount(width: 13) == Measure("0.31/1.2", "GB"))
        #expect(HumanNumbers.bytes(4_360_000_000, of: 31_000_000_000).part == "4.3")
        #expect(HumanNumbers.bytes(70, of: 640).part == "70")
        #expect(HumanNumbers.bytes(1_050_000, of: 9_900_000).part == "1.05")
        #expect(HumanNumbers.bytes(9e18, of: 9e18) == ("9.00", Measure("9", "EB")))
        #expect(row.words().pace(width: 5, unitWidth: 4) == Measure("2.4", "MB/s"))
        var slow = row
        slow.rate = 640
        #expect(slow.words().pace(width: 5, unitWidth: 4) == Measure("640", "/s"))
    }

    @Test("rates and times are numbers with units too")
    func pace() {
        #expect(many.words().pace(width: 5, unitWidth: 4) == Measure("3,140", "/s"))
        #expect(many.words().pace(width: 4, unitWidth: 4) == Measure("3.1k", "/s"))
        #expect(many.words().remaining(unitWidth: 4) == Measure("~20", "s"))
        let long = TaskSnapshot.sample { $0.secondsLeft = 400_000 }
        #expect(long.words().remaining(unitWidth: 4) == Measure("~5", "days"))
        #expect(long.words().remaining(unitWidth: 3) == Measure("~5d"))
        #expect(many.words().duration == Measure("10", "s"))
        #expect(TaskSnapshot.sample { $0.state = .failed }.words().duration == Measure("14", "s"))
    }

    @Test("the end by the clock: begun, taken and left added up; of what has ended, when it did")
    func end() {
        var row = TaskSnapshot.sample()
        #expect(row.words().end == nil)
        row.startedAt = Date(timeIntervalSince1970: 1_000)
        #expect(row.words().end.map { Int($0) } == 1_032)
        row.state = .failed
        row.endedAt = Date(timeIntervalSince1970: 1_500)
        #expect(row.words().end == 1_500)
    }
}
