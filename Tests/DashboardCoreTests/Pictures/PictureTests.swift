import CellScreen
import Foundation
import Testing

@testable import DashboardCore

/// The cells of all scenes in all sizes, for `Tools/Generate/pictures` to draw.
@Suite("Pictures")
struct PictureTests {
    private static let directory = ProcessInfo.processInfo.environment["PROGRESSBUS_PICTURES"]

    @Test(
        "The cells of each scene are written where somebody asked for them",
        .enabled(if: directory != nil)
    )
    func write() throws {
        let directory = try #require(Self.directory)
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            for scene in Scene.allCases {
                let grid = scene.grid(columns: columns, rows: rows)
                #expect(!grid.line(0).isEmpty)
                let picture = Picture(grid, isLight: scene == .light)
                let file = "\(scene.rawValue)-\(columns)x\(rows).json"
                let data = try JSONEncoder().encode(picture)
                try data.write(to: URL(filePath: directory).appending(path: file))
            }
        }
    }
}

/// A grid as runs of cells that look the same.
private struct Picture: Encodable {
    struct Run: Encodable {
        var text: String
        /// Columns of each character.
        var width: Int
        var foreground: UInt8?
        var background: UInt8?
        var attributes: UInt8
    }

    let columns: Int
    let isLight: Bool
    let rows: [[Run]]

    init(_ grid: CellGrid, isLight: Bool) {
        columns = grid.columns
        self.isLight = isLight
        rows = (0..<grid.rows).map { row in
            var runs: [Run] = []
            for cell in grid.cells(row: row) where cell.width > 0 {
                let run = Run(
                    text: String(Character(cell.scalar)),
                    width: Int(cell.width),
                    foreground: cell.style.foreground.index,
                    background: cell.style.background.index,
                    attributes: cell.style.attributes.rawValue
                )
                if let last = runs.last, last.width == run.width,
                    last.foreground == run.foreground, last.background == run.background,
                    last.attributes == run.attributes
                {
                    runs[runs.count - 1].text += run.text
                } else {
                    runs.append(run)
                }
            }
            return runs
        }
    }
}
