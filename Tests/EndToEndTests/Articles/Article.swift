import Foundation

/// A page of the documentation, and the code that it shows.
struct Article: Sendable {
    /// A block of code, with the comment above it that says what a test does with it.
    struct Block: Sendable {
        var language: String
        var comment: String
        var lines: [String]

        /// The commands of `progressbus` that it needs beside those that every build has; `nil` if
        /// it is not marked as runnable.
        var neededCommands: [String]? {
            guard comment.hasPrefix("runnable") else { return nil }
            if isElsewhere { return [] }
            return comment.dropFirst("runnable".count).split { $0 == " " || $0 == ":" }
                .map(String.init)
        }

        /// Whether it is run by somebody else, with a home of their own.
        var isElsewhere: Bool { comment == "runnable on another machine" }

        /// Whether it starts a broker, which runs until the end.
        var isBroker: Bool { comment == "broker" }

        /// The file below the package that has this code; `nil` if it does not say.
        var source: String? {
            comment.hasPrefix("from: ") ? String(comment.dropFirst("from: ".count)) : nil
        }

        /// Whether `DashboardCoreTests` draws it.
        var isScreen: Bool { comment.hasPrefix("screen: ") }

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    static let names = [
        "InstrumentingAWorker", "InstrumentingAProgram", "Watching", "EmbeddingInAService",
        "WritingAClient", "TestingReports", "OtherMachines",
    ]

    /// The folder of the package.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let name: String
    let blocks: [Block]

    init(_ name: String) throws {
        self.name = name
        let path = "Sources/ProgressBus/Documentation.docc/\(name).md"
        blocks = Self.blocks(
            in: try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
        )
    }

    static func blocks(in page: String) -> [Block] {
        var blocks: [Block] = []
        var block: Block?
        var comment = ""
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let ended = block {
                    blocks.append(ended)
                    block = nil
                    comment = ""
                } else {
                    block = Block(language: String(line.dropFirst(3)), comment: comment, lines: [])
                }
            } else if block != nil {
                block?.lines.append(String(line))
            } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
                comment = String(line.dropFirst(5).dropLast(4))
            } else if !line.isEmpty {
                comment = ""
            }
        }
        return blocks
    }
}
