import CellScreen
import ProgressBus
import TaskTree

/// What a board without jobs shows: commands that a newcomer can type.
extension DashboardModel {
    /// `nil` for a board with jobs, and before the broker has sent the board.
    func emptyBoard(width: Int, at now: Moment) -> [(text: String, role: Theme.Role)]? {
        guard store.rows.isEmpty else { return nil }
        guard store.connection == .live else { return noBroker(width: width, at: now) }
        guard store.broker?.jobs == 0 else { return nil }
        let commands = [
            ("progressbus run -- make -j8", "any command, with what it prints of its progress"),
            ("progressbus run -j 4 -- gzip -k {} ::: *.log", "one command for each of many files"),
            ("progressbus begin \"Back up\" --total 3", "a step of a script"),
            ("progressbus demo", "something to look at"),
        ]
        return [("No jobs yet: whatever reports to this bus appears here", .header), ("", .text)]
            + toType(commands, width: width)
            + [("", .text), ("In Swift and Python, a job reports by itself.", .faint)]
    }

    private func noBroker(width: Int, at now: Moment) -> [(text: String, role: Theme.Role)]? {
        guard let seconds = store.secondsWithoutBroker(at: now) else { return nil }
        var commands = [("progressbus doctor", "says what does not work, and what to do")]
        // Over ssh the connection may be gone instead of the broker; the broker of a bus with keys
        // may be on any machine, and takes a longer command.
        let isRemote = options.endpoint.hasPrefix(Self.remoteScheme)
        if !isRemote, options.endpoint.contains("://") || options.isDefaultBus {
            commands.insert(("progressbus broker", "starts one"), at: 0)
        }
        let what = isRemote ? "No word from there" : "No broker answers"
        return [("\(what) for \(HumanTime.duration(seconds))", .attention), ("", .text)]
            + toType(commands, width: width)
    }

    /// Commands and, where there is room for all, what they are for.
    private func toType(
        _ commands: [(command: String, meaning: String)],
        width: Int
    ) -> [(text: String, role: Theme.Role)] {
        let isRemote = options.endpoint.hasPrefix(Self.remoteScheme)
        var lines = [isRemote ? "On that machine:" : "In another terminal:"]
        if let bus = namedBus {
            lines.append("  export PROGRESSBUS_ENDPOINT=" + Self.quoted(bus))
        }
        let widest = commands.map(\.command.count).max() ?? 0
        let longest = commands.map(\.meaning.count).max() ?? 0
        for (command, meaning) in commands {
            let blanks = String(repeating: " ", count: widest - command.count + 3)
            let hasRoom = 2 + widest + 3 + longest <= width
            lines.append("  " + command + (hasRoom ? blanks + meaning : ""))
        }
        return lines.map { ($0, .text) }
    }

    private static let remoteScheme = "ssh://"

    /// The endpoint that commands on the machine of the bus need; `nil` if they find the bus
    /// without it.
    private var namedBus: String? {
        let bus = options.endpoint
        guard bus.hasPrefix(Self.remoteScheme) else { return options.isDefaultBus ? nil : bus }
        let directory = bus.dropFirst(Self.remoteScheme.count).drop { $0 != "/" }
        return directory.isEmpty ? nil : "ipc://" + directory
    }

    /// A text quoted as one word of a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ":", "/", ".", "_", "@", "+", "-": true
            default: false
            }
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    func draw(
        _ lines: [(text: String, role: Theme.Role)],
        in area: Area,
        _ painter: inout Painter
    ) {
        var lines = lines.flatMap { line in
            Self.wrapped(line.text, to: area.width).map { (text: $0, role: line.role) }
        }
        if lines.count > area.height { lines.removeAll(where: \.text.isEmpty) }
        let width = min(lines.map { DisplayText.width(of: $0.text) }.max() ?? 0, area.width)
        let field = Field(start: area.column + (area.width - width) / 2, width: width)
        let row = area.row + max((area.height - lines.count) / 3, 0)
        for (index, line) in lines.prefix(area.height).enumerated() {
            painter.put(line.text, line.role, field, row: row + index)
        }
    }

    /// A line as it is if it fits, or else several lines with the same indentation.
    private static func wrapped(_ line: String, to width: Int) -> [String] {
        guard DisplayText.width(of: line) > width else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        return TextBox.wrapped(line, to: max(width - indent.count, 1)).map { indent + $0 }
    }
}
