package import ProgressBus
package import TaskTree

/// One task in words: how far it is, how fast, how long still, and what is wrong with it.
///
/// Apart from the texts of the task it is plain ASCII, which any terminal or log can show. All
/// parts of the program take their words from here.
package struct TaskSentence: Sendable {
    package let row: TaskSnapshot
    /// The moment for which durations are said.
    package let now: Moment
    /// Whether its parent has ended, after which nobody will begin a waiting task.
    package var hasParentEnded: Bool
    /// How many seconds ago the task was first seen to be asked to stop, if that is known here.
    package var askedSecondsAgo: Double?
    /// Whether the words name the host, which views of tasks on several hosts set.
    package var saysHost = false

    /// - Parameters:
    ///   - row: The task.
    ///   - parent: The parent of the task, if it is known here.
    ///   - now: The moment for which durations are said; by default that for which they were made.
    package init(_ row: TaskSnapshot, in parent: TaskSnapshot? = nil, at now: Moment? = nil) {
        self.row = row
        self.now = now ?? row.madeAt
        hasParentEnded = parent?.state.isEnded ?? false
    }

    /// "Encode: 42%, 42 of 100 files, 3.1 files/s, about 20 s left - episode 3".
    package var line: String {
        var text = title + ": " + facts.joined(separator: ", ")
        if !row.state.isEnded, let detail { text += " - " + detail }
        if let note { text += " (" + note + ")" }
        return text
    }

    /// The title, or the id of a task that has none.
    package var title: String {
        PlainText.clean(row.title.isEmpty ? row.id.description : row.title)
    }

    /// Seconds since it began, until now or until it ended.
    package var elapsed: Double? { row.elapsed.map { $0 + row.age(at: now) } }

    private var facts: [String] {
        var facts: [String] = []
        if row.state == .succeeded || row.state == .waiting {
            facts.append(word)
        } else {
            if word != "running" { facts.append(wordWithReason) }
            if let percent { facts.append(percent) }
        }
        facts += descendants
        facts += amounts
        if row.attempt > 1 { facts.append("attempt \(row.attempt)") }
        if row.state.isEnded {
            if let elapsed { facts.append("after " + HumanTime.duration(elapsed)) }
        } else {
            facts += pace
        }
        if facts.isEmpty { facts = [word] }
        return facts + [place].compactMap { $0 }
    }

    private var wordWithReason: String {
        guard let reason, row.state.isEnded else { return word }
        return "\(word): \(reason)"
    }

    private var amounts: [String] {
        guard row.completed == 0, row.total == nil || isCountedByChildren else {
            guard let amount = amountText else { return [] }
            // The amount has just named the new total.
            let grown = row.totalBefore.map {
                " (total grew from \(HumanNumbers.amount($0, unit: unit)))"
            }
            return [amount + (grown ?? "")]
        }
        return shownSums.prefix(3).map(text(of:))
    }

    private var pace: [String] { [rate, timeLeft.map { $0 + " left" }].compactMap(\.self) }
}

extension TaskSentence {
    /// The texts of the task, fit for a terminal.
    var unit: String { PlainText.clean(row.unit) }

    var detail: String? { Self.said(row.detail) }

    var note: String? { Self.said(row.note) }

    var reason: String? { row.reason.flatMap(Self.said) }

    private static func said(_ text: String) -> String? {
        text.isEmpty ? nil : PlainText.clean(text)
    }
}
