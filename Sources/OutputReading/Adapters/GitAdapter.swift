/// `git` clone, fetch, pull, push, checkout, gc:
/// `Receiving objects:  37% (12/345), 1.2 MiB | 3 MiB/s`.
///
/// Each phase is a part under its own name, whether this side or the other (`remote: `) does the
/// work. Without its name git is recognized only by its own phases with both percentage and count.
struct GitAdapter: LineAdapter {
    static let name = "git"

    static func recognizes(_ line: OutputLine) -> Bool {
        guard let phase = sample(in: line) else { return false }
        return phase.total != nil && phase.part.map(phases.contains) == true
    }

    private static let phases: Set<String> = [
        "Counting objects", "Compressing objects", "Receiving objects", "Resolving deltas",
        "Writing objects", "Unpacking objects", "Updating files", "Checking out files",
        "Filtering content", "Finding sources", "Indexing objects", "Checking objects",
        "Checking connectivity", "Refreshing index", "Expanding reachable commits in commit graph",
    ]

    static func sample(in line: OutputLine) -> ProgressSample? {
        var scanner = LineScanner(line)
        _ = scanner.take("remote: ")
        guard let first = scanner.next, 0x41...0x5a ~= first, let colon = scanner.find(": ") else {
            return nil
        }
        let words = scanner.position..<colon
        // Names of phases are words and nothing else.
        guard words.count <= 60,
            line.bytes[words].allSatisfy({ Byte.isLetter($0) || $0 == Byte.space })
        else { return nil }
        let name = scanner.text(words)
        scanner.move(to: colon + 2)
        scanner.spaces()
        let unit = ["objects", "deltas", "files"].first { name.hasSuffix($0) }
        if scanner.percentage() != nil, scanner.take(" ("), let completed = scanner.number(),
            scanner.take("/"), let total = scanner.number(),
            scanner.take(")"), completed <= total
        {
            let sample = ProgressSample.amount(completed, of: total, unit: unit, part: name)
            // An open line may end in the middle of a rate.
            guard line.ending != .open, scanner.take(", ") else { return sample }
            if scanner.take("done") { return sample.done() }
            let end = scanner.find(", done")
            let rate = scanner.text(scanner.position..<(end ?? line.bytes.count))
            return sample.with(detail: rate).done(end != nil)
        }
        // `Enumerating objects: 309, done.` has no total before its end.
        if let completed = scanner.number(), scanner.take(", done") {
            return .amount(completed, of: completed, unit: unit, part: name).done()
        }
        return nil
    }
}
