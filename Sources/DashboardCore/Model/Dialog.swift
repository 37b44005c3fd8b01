import ProgressBus
import TaskTree

/// A question in front of everything; it is about the tasks it names, whatever is in their rows now.
struct Dialog: Equatable, Sendable {
    enum Choice: Hashable, Sendable {
        case keepGoing, pauseInstead, cancelTask
    }

    let task: TaskID
    let title: String
    /// The question, and what follows from the answer.
    let sentences: [String]
    /// The first one changes nothing, and is what Enter at once does.
    let choices: [Choice]
    var chosen: Choice

    /// Whether to ask a task to stop: names it, and what is lost.
    init(cancelling row: TaskSnapshot) {
        task = row.id
        title = row.title
        let loss = row.options.consequence
        var sentences = [
            "Cancel \"\(PlainText.clean(row.title))\"?",
            loss.isEmpty ? "It has not said what would be lost." : PlainText.clean(loss),
        ]
        let below = row.counts.running + row.counts.waiting
        if below > 0 {
            let tasks = below == 1 ? "1 task below is" : "\(below) tasks below are"
            sentences.append("\(tasks) asked to stop with it.")
        }
        self.sentences = sentences
        choices =
            row.options.isPausable && row.state == .running
            ? [.keepGoing, .pauseInstead, .cancelTask] : [.keepGoing, .cancelTask]
        chosen = .keepGoing
    }

    mutating func choose(by step: Int) {
        guard let index = choices.firstIndex(of: chosen) else { return }
        chosen = choices[min(max(index + step, 0), choices.count - 1)]
    }
}

extension Dialog.Choice {
    /// On its button.
    var label: String {
        switch self {
        case .keepGoing: "Keep Going"
        case .pauseInstead: "Pause Instead"
        case .cancelTask: "Cancel Task"
        }
    }

    /// In the footer.
    var hint: String { label.lowercased() }
}
