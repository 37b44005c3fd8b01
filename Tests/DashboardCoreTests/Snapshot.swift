import CellScreen
import Foundation
import Testing

/// Screens as a person sees them, kept in files.
///
/// `Tools/Generate/snapshots` writes them anew; the difference is then seen in the commit.
enum Snapshot {
    private static let isRecording =
        ProcessInfo.processInfo.environment["PROGRESSBUS_RECORD_SNAPSHOTS"] == "1"

    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "Snapshots")
    private static let article = "Sources/ProgressBus/Documentation.docc/Watching.md"

    /// Compares a screen with the block of the article on watching, or writes the block.
    static func expectInArticle(
        _ grid: CellGrid,
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = directory.appending(path: "../../../\(article)").standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        let begin = "<!-- screen: \(name) -->\n```text\n"
        let end = "```\n"
        let start = try #require(page.range(of: begin), sourceLocation: sourceLocation)
        let rest = page[start.upperBound...]
        let stop = try #require(rest.range(of: end), sourceLocation: sourceLocation)
        let shown = String(rest[..<stop.lowerBound])
        let text = grid.text + "\n"
        if isRecording {
            let written = page.replacingCharacters(
                in: start.upperBound..<stop.lowerBound,
                with: text
            )
            try Data(written.utf8).write(to: file)
            return
        }
        #expect(
            shown == text,
            """
            \(article) shows another \(name) than is drawn; if this is as it should be: \
            Tools/Generate/snapshots
            \(text)
            """,
            sourceLocation: sourceLocation
        )
    }

    /// Compares a screen with the file of this name, or writes the file.
    static func expect(
        _ grid: CellGrid,
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = directory.appending(path: name + ".txt")
        let text = grid.text + "\n"
        if isRecording {
            try Data(text.utf8).write(to: file)
            return
        }
        let expected = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            expected == text,
            """
            \(name) is not what it was; if it is what it should be: Tools/Generate/snapshots
            --- was
            \(expected ?? "(there is no such file)\n")--- is
            \(text)---
            """,
            sourceLocation: sourceLocation
        )
    }
}
