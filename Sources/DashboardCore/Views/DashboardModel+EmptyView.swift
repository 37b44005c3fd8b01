import CellScreen
import ProgressBus
import TaskTree

/// A board without jobs says what to do, as nothing else is on the screen of a newcomer.
extension DashboardModel {
    /// `nil` for a board with jobs, and before the broker has sent the board.
    func emptyBoard(width: Int, at now: Moment) -> [(text: String, role: Theme.Role)]? {
        guard store.rows.isEmpty else { return nil }
        guard store.connection == .live else { return noBroker(at: now) }
        guard store.broker?.jobs == 0 else { return nil }
        let commands = [
            ("progressbus run -- make -j8", "any command, with what it prints of its progress"),
            ("progressbus run -j 4 -- gzip {} ::: *.log", "one command for each of many files"),
            ("progressbus begin \"Back up\" --total 3", "a step of a script"),
            ("progressbus demo", "something to look at"),
        ]
        let widest = commands.map(\.0.count).max() ?? 0
        let hasRoom = width >= widest + 56
        var lines: [(text: String, role: Theme.Role)] = [
            ("No jobs yet: whatever reports to this bus appears here", .header), ("", .text),
            ("In another terminal:", .text),
        ]
        for (command, meaning) in commands {
            let blanks = String(repeating: " ", count: widest - command.count + 3)
            lines.append(("  " + command + (hasRoom ? blanks + meaning : ""), .text))
        }
        return lines + [("", .text), ("In Swift and Python, a job reports by itself.", .faint)]
    }

    private func noBroker(at now: Moment) -> [(text: String, role: Theme.Role)]? {
        guard let seconds = store.secondsWithoutBroker(at: now) else { return nil }
        return [
            ("No broker answers for \(HumanTime.duration(seconds))", .attention), ("", .text),
            ("In another terminal:", .text),
            ("  progressbus broker    starts one", .text),
            ("  progressbus doctor    says what does not work, and what to do", .text),
        ]
    }

    func draw(
        _ lines: [(text: String, role: Theme.Role)],
        in area: Area,
        _ painter: inout Painter
    ) {
        let width = min(lines.map { DisplayText.width(of: $0.text) }.max() ?? 0, area.width)
        let field = Field(start: area.column + (area.width - width) / 2, width: width)
        let row = area.row + max((area.height - lines.count) / 3, 0)
        for (index, line) in lines.prefix(area.height).enumerated() {
            painter.put(line.text, line.role, field, row: row + index)
        }
    }
}
