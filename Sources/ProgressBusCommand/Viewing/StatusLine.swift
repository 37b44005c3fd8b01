import DashboardCore
import ProgressBus

/// The tree as one short line for a prompt or a status bar; never an average of unrelated jobs.
///
/// Only the filled part of the bar is shown, in whole cells: a partial cell fills from one side,
/// which is the wrong one where text goes from right to left.
struct StatusLine {
    /// Columns that the line takes at most.
    static let limit = 60
    /// Columns of a full bar.
    private static let barWidth = 10
    private static let titleLimit = 24
    /// The columns that an ending must leave for the title; otherwise a shorter ending is taken.
    private static let leastTitle = 12

    /// The character of a filled column of the bar.
    private let fill: Character

    /// - Parameter isASCII: Whether the reader may be unable to show more than ASCII.
    init(isASCII: Bool) {
        fill = isASCII ? "#" : "█"
    }

    /// "Back up photos ████ 42% about 4 min, 2 more running, 1 needs attention"; empty if no job
    /// runs and none needs attention.
    func text(for board: Board) -> String {
        let running = board.jobs.filter(\.state.isUnderWay)
        let attention = board.broker?.needingAttention ?? 0
        let trouble = attention > 0 ? inNeedOfAttention(attention) : ""
        guard let first = running.first else { return trouble }
        let facts = facts(of: TaskSentence(first))
        let more = running.count - 1
        // The shortest ending counts if none of them leaves room for the title.
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
