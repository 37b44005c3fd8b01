import BusProtocol
import Essentials

/// Texts as they may leave the process.
extension String {
    /// The text without control characters, cut between characters to at most this many bytes.
    func clipped(toBytes limit: Int) -> String { oneLine.limited(toUTF8: limit) }
}

/// Titles that tell a reader nothing.
enum VagueTitles {
    /// Words that say that something happens, but not what.
    static let words: Set<String> = [
        "", "authenticating", "busy", "connecting", "downloading", "executing", "fetching",
        "in progress", "initializing", "job", "loading", "one moment", "please wait", "preparing",
        "processing", "progress", "running", "starting", "sync", "syncing", "task", "updating",
        "uploading", "wait", "waiting", "working",
    ]

    /// Whether a title is nothing but one of those words.
    static func contains(_ title: String) -> Bool {
        let plain = title.lowercased().filter { $0.isLetter || $0 == " " }
        let trimmed = plain.split(separator: " ").joined(separator: " ")
        return words.contains(trimmed)
    }
}

extension Error {
    /// The error as a sentence for people.
    var sentenceForPeople: String {
        (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
    }
}
