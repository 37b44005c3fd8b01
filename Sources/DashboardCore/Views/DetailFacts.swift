import CellScreen
import ProgressBus
import TaskTree

/// Everything known about one task, as lines of the detail pane; what matters most comes first.
struct DetailFacts {
    struct Line: Equatable {
        /// What the line is about; empty if the line continues the one before.
        var label = ""
        var text: String
        var isTrouble = false

        static let blank = Line(text: "")
    }

    var sentence: TaskSentence
    /// The tasks of a job by host; `nil` if not known.
    var hosts: JobHosts?
    /// The titles of tasks below it that no process has begun.
    var open: [String] = []
    private let row: TaskSnapshot
    private let secondsFromUTC: (Double) -> Int

    init(_ row: TaskSnapshot, at now: Moment, secondsFromUTC: @escaping (Double) -> Int) {
        self.row = row
        self.secondsFromUTC = secondsFromUTC
        sentence = TaskSentence(row, at: now)
    }

    /// The lines of all groups, wrapped to a width, with a blank line between groups if all fit.
    func lines(width: Int, height: Int = .max) -> [Line] {
        let advice = TextBox.wrapped(sentence.advice ?? "", to: max(width, 1))
        var groups = [main, below, halting, names].map { group in
            group.flatMap { label, text in Self.wrapped(label, text, to: width) }
        }
        groups[0].insert(contentsOf: advice.map { Line(text: $0, isTrouble: true) }, at: 0)
        groups[0].insert(contentsOf: Self.wrapped("state", state, to: width), at: 0)
        groups.removeAll(where: \.isEmpty)
        let dense = groups.flatMap { $0 }
        guard dense.count + groups.count - 1 <= height else { return dense }
        return Array(groups.joined(separator: [.blank]))
    }

    private static func wrapped(_ label: String, _ text: String?, to width: Int) -> [Line] {
        guard let text, !text.isEmpty else { return [] }
        let lines = TextBox.wrapped(text, to: max(width, 1))
        return lines.enumerated().map { Line(label: $0 == 0 ? label : "", text: $1) }
    }

    private var main: [(String, String?)] {
        [
            ("doing", row.state.isEnded ? nil : sentence.detail),
            ("done", amounts), ("rate", rates), ("time", time), ("process", process),
            ("runs", place),
        ]
    }

    private var below: [(String, String?)] {
        let sums = sentence.shownSums.map(sentence.text(of:))
        return [
            ("below", descendants)
        ] + HostLines.lines(hosts).map { ("", $0) } + [
            ("in all", sums.joined(separator: ", ")),
            ("open", openTickets), ("advance", advance),
        ]
    }

    private var halting: [(String, String?)] {
        guard !row.state.isEnded else { return [("note", sentence.note)] }
        let listens = row.options.isCancellable
        return [
            ("cancel", listens ? "it can be asked to stop" : "it cannot be asked to stop"),
            ("loses", PlainText.clean(row.options.consequence)),
            ("pause", row.options.isPausable ? "it can be paused" : nil),
            ("note", sentence.note),
        ]
    }

    private var names: [(String, String?)] {
        var place: [String] = []
        if let slot = row.slot { place.append("slot \(slot)") }
        if let number = row.place, let parent = row.parent {
            place.append("place \(number) of \(parent.description)")
        }
        if row.isOrphan { place.append("its parent never turned up") }
        if row.options.isBackground { place.append("in the background") }
        return [
            ("key", PlainText.clean(row.key)), ("id", row.id.description),
            ("share", row.share.map { "\(HumanNumbers.grouped($0)) of what its parent counts" }),
            ("where", place.joined(separator: ", ")),
        ]
    }

    private var state: String {
        var parts = [sentence.word]
        if let percent = sentence.percent { parts.append(percent) }
        if let reason = sentence.reason, row.state.isEnded { parts.append(reason) }
        switch row.exit {
        case .status(let status): parts.append("exit status \(status)")
        case .signal(let signal): parts.append("ended by signal \(signal)")
        case nil: break
        }
        if row.attempt > 1 { parts.append("attempt \(row.attempt)") }
        if row.earlierAttempts > 0 { parts.append("\(row.earlierAttempts) before") }
        return parts.joined(separator: ", ")
    }

    /// The task's own amounts; the lines of `below` have those of its descendants.
    private var amounts: String? {
        guard !sentence.isCountedByChildren else { return nil }
        let said = [sentence.amountText, sentence.totalRemark].compactMap(\.self)
        return said.joined(separator: ", ")
    }

    /// "3.1 files/s now, 2.9 files/s over all".
    private var rates: String? {
        let now = sentence.rate.map { $0 + " now" }
        var whole: String?
        if let active = row.active ?? row.elapsed, active > 0, row.completed > 0,
            !sentence.isPercentage
        {
            let rate = Double(row.completed) / active
            whole = HumanNumbers.rate(rate, unit: sentence.unit).map { $0 + " over all" }
        }
        return [now, whole].compactMap { $0 }.joined(separator: ", ")
    }

    private var descendants: String? {
        var parts = sentence.descendants
        if let expected = row.options.expectedChildren {
            parts.append(HumanNumbers.grouped(expected) + " expected")
        }
        if row.childrenLeftOut > 0 {
            parts.append(HumanNumbers.grouped(row.childrenLeftOut) + " not listed")
        }
        return parts.joined(separator: ", ")
    }

    private var openTickets: String? {
        guard !open.isEmpty else { return nil }
        let more = open.count > 5 ? " and \(open.count - 5) more" : ""
        return open.prefix(5).joined(separator: ", ") + more + ": nobody has begun this yet"
    }

    private var advance: String? {
        guard row.state.isUnderWay else { return nil }
        let hasAdvanced = row.completed > 0 || row.fraction > 0 || !row.detail.isEmpty
        let last = row.secondsSinceAdvance.map {
            let time = HumanTime.duration($0 + row.age(at: sentence.now))
            return hasAdvanced ? "the last one \(time) ago" : "none for \(time)"
        }
        let usual = row.options.expectedGap.map {
            "one is expected every " + HumanTime.duration(Double($0.components.seconds))
        }
        return [last, usual].compactMap { $0 }.joined(separator: ", ")
    }

    private var time: String? {
        var parts: [String] = []
        if let started = row.startedAt {
            let at = TimeOfDay.text(unixTime: started.unixTime, secondsFromUTC: secondsFromUTC)
            parts.append("since \(at)")
        }
        if let elapsed = sentence.elapsed {
            let active = row.active.map { $0 + row.age(at: sentence.now) } ?? elapsed
            let work = elapsed - active >= 1 ? " (\(HumanTime.duration(active)) at work)" : ""
            parts.append(HumanTime.duration(elapsed) + work)
        }
        if let left = sentence.timeLeft { parts.append(left + " left") }
        if let end = sentence.end {
            let hasEnded = row.state.isEnded
            let text =
                hasEnded
                ? "ended " + TimeOfDay.text(unixTime: end, secondsFromUTC: secondsFromUTC)
                : "until about " + TimeOfDay.minute(unixTime: end, secondsFromUTC: secondsFromUTC)
            parts.append(text)
        }
        return parts.joined(separator: ", ")
    }

    /// Where it runs, if its process is elsewhere.
    private var place: String? {
        row.options.host.isEmpty ? nil : "on \(PlainText.clean(row.options.host))"
    }

    private var process: String? {
        guard let process = row.process else { return nil }
        let command = process.command.isEmpty ? "" : " (\(PlainText.clean(process.command)))"
        return "\(process.pid) on \(PlainText.clean(process.host))\(command)"
    }
}
