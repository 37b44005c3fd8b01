import DashboardCore
import ProgressBus

/// The tree as one short line for a prompt or a status bar; never an average of unrelated jobs.
///
/// Of the bar only the filled part is there, in whole cells: half ones have a side at which they
/// begin, which would be the wrong one where text goes from right to left.
struct StatusLine {
    /// Columns that the line takes at most.
    static let limit = 60
    /// Columns of a full bar.
    private static let barWidth = 10
    private static let titleLimit = 24
    /// Below this a title is not worth what it displaces.
    private static let leastTitle = 12

    /// What one column of the bar is drawn with.
    private let fill: Character

    /// - Parameter isASCII: Whether the reader may be unable to show anything else.
    init(isASCII: Bool) {
        fill = isASCII ? "#" : "█"
    }

    /// "Back up photos ████ 42% about 4 min, 2 more running, 1 needs attention"; empty without jobs.
    func text(for board: Board) -> String {
        let running = board.jobs.filter { !$0.state.isEnded && $0.state != .waiting }
        let attention = board.broker?.needingAttention ?? 0
        let trouble = attention > 0 ? inNeedOfAttention(attention) : ""
        guard let first = running.first else { return trouble }
        let facts = facts(of: TaskSentence(first))
        let more = running.count - 1
        // The shortest counts, where all of them leave the title no room.
        let endings = [
            [more > 0 ? "\(more) more running" : "", trouble],
            [more > 0 ? "+\(more)" : "", trouble],
            [more > 0 ? "+\(more)" : "", attention > 0 ? "\(attention)!" : ""],
        ].map { parts in parts.filter { !$0.isEmpty }.map { ", " + $0 }.joined() }
        let ending = endings.first { room(facts + $0) >= Self.leastTitle } ?? endings[2]
        let title = PlainText.cut(
            TaskSentence(first).title,
            to: min(room(facts + ending), Self.titleLimit)
        )
        return title + facts + ending
    }

    /// Columns that are left for a title; what follows it is ASCII but for the bar's cells.
    private func room(_ rest: String) -> Int { Self.limit - rest.count }

    private func facts(of sentence: TaskSentence) -> String {
        var words: [String] = []
        if let percent = sentence.percent {
            let cells = Int(min(max(sentence.row.displayFraction, 0), 1) * Double(Self.barWidth))
            if cells > 0 { words.append(String(repeating: fill, count: cells)) }
            words.append(percent)
        } else if sentence.row.counts.sum > 0 {
            words.append("\(sentence.row.counts.succeeded) done")
        }
        words.append(sentence.word == "running" ? sentence.timeLeft ?? "" : sentence.word)
        return words.filter { !$0.isEmpty }.map { " " + $0 }.joined()
    }
}
