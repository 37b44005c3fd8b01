import DashboardCore
import Foundation

/// What the demo prints at its end.
enum DemoSummary {
    /// The most files that are named one by one; with more, all names go to a file.
    private static let mostNames = 50

    /// The names of what was left out, what went wrong, the numbers, and where the result is.
    static func lines(
        for result: DemoResult,
        seconds: Double,
        workers: Int,
        file: ChecksumFile
    ) -> [String] {
        var lines = names(in: result, file: file)
        for casualty in result.casualties {
            lines.append(
                "worker \(casualty.number) \(casualty.trouble); "
                    + "\(counted(casualty.notDone.count, "file")) not done"
            )
        }
        lines.append(numbers(of: result, seconds: seconds, workers: workers))
        lines.append("checksums: \(file.path)")
        if !file.isSpecial, result.fileCount > 0 {
            lines.append("verify:    \(verification) \(quoted(file.path))")
        }
        return lines
    }

    /// Whether the summary points to a file for the names of what has no checksum.
    static func needsNamesFile(_ result: DemoResult, file: ChecksumFile) -> Bool {
        !file.isSpecial && result.namesWithoutChecksum.count > mostNames
    }

    private static func names(in result: DemoResult, file: ChecksumFile) -> [String] {
        let names = result.namesWithoutChecksum
        guard needsNamesFile(result, file: file) else { return names }
        let rest = HumanNumbers.grouped(Int64(names.count - mostNames))
        return names.prefix(mostNames) + ["... and \(rest) more; all are in \(file.namesPath)"]
    }

    private static func numbers(
        of result: DemoResult,
        seconds: Double,
        workers: Int
    ) -> String {
        let bytes = Double(result.byteCount)
        let rate = HumanNumbers.bytes(bytes / max(seconds, 0.001)) + "/s"
        var text =
            counted(result.fileCount, "file") + ", " + HumanNumbers.bytes(bytes)
            + " in \(String(format: "%.2f", seconds)) s"
        if workers > 0 {
            text += " by \(workers == 1 ? "1 process" : "\(workers) processes") (\(rate))"
        }
        if !result.leftOut.isEmpty {
            text += "; \(HumanNumbers.grouped(Int64(result.leftOut.count))) left out"
        }
        return text
    }

    /// "1 file", "12,345 files".
    static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(HumanNumbers.grouped(Int64(count))) \(noun)s"
    }

    private static var verification: String {
        #if os(Linux)
        "sha256sum --check --quiet"
        #else
        "shasum -a 256 --check --quiet"
        #endif
    }

    /// As a shell takes it for one word.
    private static func quoted(_ path: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@%"
        )
        guard !path.unicodeScalars.allSatisfy(plain.contains) else { return path }
        return "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
