import Foundation
import OutputReading
import Testing

/// What a program really printed, and what that meant; Recordings/README.md says how it was made.
struct Recording: Sendable, CustomTestStringConvertible {
    var file: String
    var command: String
    /// What is known at the end, see `Summary.lines`.
    var end: [String]
    /// The same where nobody knew the command.
    var endBySight: [String]
    /// The program finds more to do on the way.
    var totalGrows = false

    init(
        _ file: String,
        _ command: String,
        _ end: [String],
        bySight: [String]? = nil,
        totalGrows: Bool = false
    ) {
        self.file = file
        self.command = command
        self.end = end
        endBySight = bySight ?? end
        self.totalGrows = totalGrows
    }

    var testDescription: String { file }

    var words: CommandWords {
        CommandWords(command.split(separator: " ").map(String.init))
    }

    func bytes() throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return [UInt8](
            try Data(contentsOf: folder.appending(path: "Recordings/\(file).txt"))
        )
    }
}
