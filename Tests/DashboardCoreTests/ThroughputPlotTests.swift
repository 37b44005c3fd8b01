import CellScreen
import ProgressBus
import TaskTree
import TestSupport
import Testing

@testable import DashboardCore

@Suite struct ThroughputPlotTests {
    private func at(_ seconds: Double) -> Moment {
        Moment(nanoseconds: 5_000_000_000).advanced(bySeconds: seconds)
    }

    private func drawn(
        _ plot: ThroughputPlot,
        _ columns: Int,
        _ rows: Int,
        glyphs: Glyphs = .unicode,
        isMirrored: Bool = false
    ) -> [String] {
        let canvas = Canvas(columns, rows: rows, glyphs: glyphs, isMirrored: isMirrored)
        let area = Area(width: columns, height: rows)
        return (0..<rows).map(canvas.drawn { $0.putPlot(plot, in: area) }.line)
    }

    private func plot(_ perSecond: [Int64]) -> ThroughputPlot {
        var plot = ThroughputPlot()
        var completed: Int64 = 0
        plot.observe(completed: 0, at: at(0))
        for (second, amount) in perSecond.enumerated() {
            completed += amount
            plot.observe(completed: completed, at: at(Double(second) + 0.5))
            plot.observe(completed: completed, at: at(Double(second) + 1))
        }
        return plot
    }

    @Test("I-26: what came in a second is one sample, and the second that runs is none yet")
    func samples() {
        var plot = ThroughputPlot()
        #expect(plot.seconds.isEmpty)
        plot.observe(completed: 100, at: at(0))
        plot.observe(completed: 103, at: at(0.4))
        plot.observe(completed: 107, at: at(0.9))
        #expect(plot.seconds.isEmpty)
        plot.observe(completed: 107, at: at(1))
        #expect(plot.seconds == [7])
        plot.observe(completed: 112, at: at(1.5))
        plot.observe(completed: 112, at: at(4.2))
        #expect(plot.seconds == [7, 5, 0, 0])
    }

    @Test("I-13: paused time is left out")
    func paused() {
        var plot = ThroughputPlot()
        plot.observe(completed: 0, at: at(0))
        plot.observe(completed: 4, at: at(0.5))
        plot.observe(completed: 4, isPaused: true, at: at(0.6))
        plot.observe(completed: 4, isPaused: true, at: at(500))
        plot.observe(completed: 4, at: at(900.6))
        plot.observe(completed: 9, at: at(900.9))
        #expect(plot.seconds.isEmpty)
        plot.observe(completed: 9, at: at(901.01))
        #expect(plot.seconds == [9])
    }

    @Test("only the newest are kept, after any gap and any number")
    func bounded() {
        let long = plot((0..<200).map { $0 })
        #expect(long.seconds == (140..<200).map(Double.init))
        var gap = plot([3])
        gap.observe(completed: 4, at: at(1e9))
        #expect(gap.seconds == Array(repeating: 0, count: 60))
        var random = SplitMix64(seed: 26)
        var plot = ThroughputPlot()
        let extremes: [Int64] = [.min, -1, 0, 1, .max]
        for _ in 0..<2_000 {
            let completed = extremes.randomElement(using: &random) ?? 0
            let moment = extremes.randomElement(using: &random) ?? 0
            plot.observe(completed: completed, at: Moment(nanoseconds: moment))
            #expect(plot.seconds.count <= 60 && plot.seconds.allSatisfy { $0 >= 0 && $0.isFinite })
        }
    }

    @Test("what falls counts as nothing, and the next rise from there")
    func falls() {
        var plot = ThroughputPlot()
        plot.observe(completed: 50, at: at(0))
        plot.observe(completed: 2, at: at(0.3))
        plot.observe(completed: 5, at: at(0.6))
        plot.observe(completed: 5, at: at(1))
        #expect(plot.seconds == [3])
    }

    @Test(
        "I-26: the tallest fills the height, the newest is at the trailing side, nothing is blank"
    )
    func draws() {
        #expect(drawn(plot([1, 2, 3, 4, 5, 6, 7, 8]), 10, 1) == ["  ▁▂▃▄▅▆▇█"])
        #expect(drawn(plot([1, 2, 3, 4, 5, 6, 7, 8]), 4, 1) == ["▅▆▇█"])
        #expect(drawn(plot([16, 0, 4, 12]), 4, 2) == ["█  ▄", "█ ▄█"])
        #expect(drawn(plot([1, 1_000_000]), 2, 1) == ["▁█"])
        #expect(drawn(plot([0, 0]), 4, 2) == ["", ""])
        #expect(drawn(plot([]), 4, 1) == [""])
        #expect(drawn(plot([8, 4, 1]), 3, 1, glyphs: .ascii) == ["#:."])
        #expect(drawn(plot([1, 8]), 4, 1, isMirrored: true) == ["█▁"])
    }

    @Test("any field: nothing traps")
    func anyField() {
        let plot = plot([1, 2, 3])
        let canvas = Canvas(4, rows: 3)
        let numbers = [Int.min, -1_000, -1, 0, 1, 3, 1_000, Int.max]
        for column in numbers {
            for row in numbers {
                for width in numbers {
                    for height in numbers {
                        let area = Area(column: column, row: row, width: width, height: height)
                        let grid = canvas.drawn { $0.putPlot(plot, in: area) }
                        if width <= 0 || height <= 0 { #expect(grid.text == "\n\n") }
                    }
                }
            }
        }
    }
}
