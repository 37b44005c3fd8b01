import ProgressBus
import TaskTree

/// A question in front of everything; it stays about the tasks that it names, even when others have
/// taken their rows.
struct Dialog: Equatable, Sendable {
    /// An answer: the label of its button, and the request to the tasks, if it sends one.
    struct Choice: Equatable, Sendable {
        var label: String
        var request: TaskRequest?
    }

    /// What the question is about.
    enum Subject: Equatable, Sendable {
        case task(TaskID, title: String)
        /// All jobs that have ended, or those of them that the filter shows.
        case ended([TaskID])
    }

    let subject: Subject
    /// The question, and what follows from the answer.
    let sentences: [String]
    /// The answers; the first one changes nothing and is chosen at the beginning.
    let choices: [Choice]
    var chosen = 0
    /// The first line of the text shown, if there is no room for all lines.
    var scroll = 0

    /// Asks whether to cancel a task; names the task, the loss and an earlier request to stop.
    init(cancelling row: TaskSnapshot, askedSecondsAgo: Double? = nil) {
        subject = .task(row.id, title: row.title)
        let loss = row.options.consequence
        var sentences = [
            "Cancel \"\(PlainText.clean(row.title))\"?",
            loss.isEmpty ? "It has not said what would be lost." : PlainText.clean(loss),
        ]
        if let askedSecondsAgo {
            let time = HumanTime.duration(askedSecondsAgo)
            sentences.insert("It was asked to stop \(time) ago and still runs.", at: 1)
        }
        let below = row.counts.running + row.counts.waiting
        if below > 0 {
            let tasks = below == 1 ? "1 task below is" : "\(below) tasks below are"
            sentences.append("\(tasks) asked to stop with it.")
        }
        self.sentences = sentences
        let isPausable = row.options.isPausable && row.state == .running
        choices =
            [Choice(label: "Keep Going"), Choice(label: "Cancel Task", request: .cancel)]
            + (isPausable ? [Choice(label: "Pause Instead", request: .pause)] : [])
    }

    /// Asks whether to dismiss a job that needs attention; others see the same board.
    init(dismissing row: TaskSnapshot, at now: Moment) {
        subject = .task(row.id, title: row.title)
        var sentences = ["Dismiss \"\(PlainText.clean(row.title))\"?"]
        if let problem = TaskSentence(row, at: now).problem {
            sentences.append(problem.prefix(1).uppercased() + problem.dropFirst() + ".")
        }
        let troubled = row.attentionBelow
        if troubled > 0 {
            let below = troubled == 1 ? "1 task below it needs" : "\(troubled) tasks below it need"
            sentences.append(below + " attention.")
        }
        self.sentences = sentences + ["Nobody sees it on this bus afterwards."]
        choices = [Choice(label: "Keep It"), Choice(label: "Dismiss It", request: .dismiss)]
    }

    /// Asks whether to dismiss these ended jobs; others see the same board.
    init(dismissing jobs: [TaskSnapshot], matching filter: String) {
        subject = .ended(jobs.map(\.id))
        let troubled = jobs.count { $0.needsAttention }
        let number = HumanNumbers.grouped(jobs.count)
        let verb = jobs.count == 1 ? "matches" : "match"
        let which = filter.isEmpty ? "" : " and \(verb) \"\(PlainText.clean(filter))\""
        let those = jobs.count == 1 ? "1 job that has ended" : "\(number) jobs that have ended"
        var sentences = ["Dismiss \(those)\(which)?"]
        if troubled > 0 {
            let need = troubled == 1 ? "1 of them needs" : "\(troubled) of them need"
            sentences.append("\(need) attention.")
        }
        sentences.append("Nobody sees them on this bus afterwards.")
        self.sentences = sentences
        choices = [Choice(label: "Keep Them"), Choice(label: "Dismiss All", request: .dismiss)]
    }

    mutating func choose(by step: Int) {
        chosen = min(max(chosen + step, 0), choices.count - 1)
    }

    /// Whether it asks to stop a task.
    var isOfCancelling: Bool { choices.contains { $0.request == .cancel } }
}

/// The dismissal of many jobs, a few at a time.
struct Dismissal: Sendable {
    /// How many requests may wait for an answer at once; further jobs wait for these answers.
    static let mostAtOnce = 8

    /// Whether the jobs that have ended are still being counted.
    var isCounting = true
    var waiting: [TaskID] = []
    var underWay = 0
    var done = 0
    /// How many jobs stay on the board, and the reason for the last of them.
    var refused: (count: Int, words: String) = (0, "")
}
