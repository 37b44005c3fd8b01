import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// Where columns are, and that what is in them stands right.
@Suite("Columns of a row")
struct RowColumnTests {
    private func widths(_ columns: RowColumns) -> [(String, Int)] {
        [
            ("host", columns.host.width), ("trend", columns.trend.width),
            ("detail", columns.detail.width), ("ends", columns.ends.width),
            ("taken", columns.taken.number.width), ("rate", columns.rate.number.width),
            ("counts", columns.counts.number.width), ("bar", columns.bar.width),
            ("left", columns.left.number.width), ("percent", columns.percent.width),
        ]
    }

    @Test("a screen that gets narrower loses its columns in the order that the article tells")
    func order() {
        var lost: [String] = []
        for width in stride(from: 240, through: 8, by: -1) {
            for (name, width) in widths(RowColumns(width: width, hasNumber: true))
            where width == 0 && !lost.contains(name) {
                lost.append(name)
            }
        }
        #expect(lost == widths(RowColumns(width: 240, hasNumber: true)).map(\.0))
    }

    @Test("columns follow each other within the row, and the title has room", arguments: 20...240)
    func fields(width: Int) {
        for hasNumber in [true, false] {
            let columns = RowColumns(width: width, hasNumber: hasNumber)
            let fields = [
                columns.cursor, columns.number, columns.mark, columns.title, columns.bar,
                columns.percent, columns.counts.number, columns.counts.unit, columns.rate.number,
                columns.rate.unit, columns.trend, columns.left.number, columns.left.unit,
                columns.ends, columns.taken.number, columns.taken.unit, columns.host,
                columns.detail,
            ].filter { $0.width > 0 }
            for (field, next) in zip(fields, fields.dropFirst()) {
                #expect(field.end <= next.start)
            }
            #expect(fields.last.map { $0.end <= width } == true)
            #expect(columns.title.width >= min(width / 4, 20), "\(columns.title.width)")
        }
    }

    @Test("digits end in one column and units begin in one, whatever is counted")
    func aligned() {
        var stage = Stage(columns: 120)
        stage.report(
            .job(1, "a"),
            .job(2, "b") {
                $0.unit = "bytes"
                $0.completed = 504_000_000
                $0.total = 1_200_000_000
                $0.rate = 12_000_000
            },
            .job(3, "c") {
                $0.completed = 4_200
                $0.total = 10_000
                $0.rate = 410
            }
        )
        let columns = RowColumns(width: 120, hasNumber: true)
        for row in 0..<3 {
            let line = Array(stage.line(row))
            for field in [columns.counts, columns.rate, columns.left] {
                #expect(line[field.number.end - 1].isNumber, "\(String(line))")
                #expect(line[field.number.end] == " ")
                #expect(line[field.unit.start] != " ")
            }
        }
        #expect(stage.line(1).contains("0.5/1.2 GB") || stage.line(1).contains("0.50/1.2 GB"))
    }

    @Test("each column has its name above it where the screen is high enough")
    func heads() {
        var stage = Stage(columns: 200, rows: 24)
        stage.report(.job(1, "Work") { $0.counts.running = 1 })
        let heads = stage.grid.line(stage.top - 1)
        for name in [
            "#", "JOB", "PROGRESS", "DONE", "RATE", "TREND", "LEFT", "ENDS", "TIME", "HOST", "NOW",
        ] {
            #expect(heads.contains(name), "\(name)")
        }
        stage.press(.enter)
        #expect(stage.grid.line(stage.top - 1).contains("TASK"))
        stage.resize(columns: 200, rows: 12)
        #expect(!stage.screen.contains("PROGRESS"))
    }

    @Test("an empty bus says what to type")
    func empty() {
        for (columns, rows) in [(80, 24), (120, 40), (40, 10)] {
            var stage = Stage(columns: columns, rows: rows)
            stage.deliver()
            #expect(stage.screen.contains("progressbus run -- "))
            stage.report(.job(1, "Work"))
            #expect(!stage.screen.contains("progressbus run"))
        }
    }

    @Test("where no broker answers, it says since when and what to do")
    func noBroker() {
        var stage = Stage()
        stage.connection = .connecting
        stage.deliver()
        stage.wait(1)
        #expect(!stage.screen.contains("progressbus doctor"))
        stage.wait(3)
        #expect(stage.screen.contains("No broker answers for 4 s"))
        #expect(stage.screen.contains("progressbus broker"))
        #expect(stage.screen.contains("progressbus doctor"))
    }

    @Test("the trend of a rate: one cell for each twelve seconds, and gaps are as what was before")
    func trend() {
        var trend = RateTrend(at: Moment(nanoseconds: 0).advanced(bySeconds: 1_000))
        for (second, rate) in [(1_001, 5.0), (1_010, 6), (1_022, 7), (1_058, 9)] {
            trend.take(rate, at: Moment(nanoseconds: 0).advanced(bySeconds: Double(second)))
        }
        #expect(trend.rates == [6, 7, 7, 7, 9])
        trend.take(1, at: Moment(nanoseconds: 0).advanced(bySeconds: 10_000))
        #expect(trend.rates.count == RateTrend.capacity && trend.rates.last == 1)
    }
}
