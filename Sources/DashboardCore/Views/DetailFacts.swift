import CellScreen
import ProgressBus
import TaskTree

/// Everything known about one task, as lines of the detail pane; what matters most comes first.
struct DetailFacts {
    struct Line: Equatable {
        var text: String
        var isTrouble = false
    }

    var sentence: TaskSentence
    /// Of a job, where that is known.
    var hosts: JobHosts?
    private let row: TaskSnapshot
    private let secondsFromUTC: (Double) -> Int

    init(_ row: TaskSnapshot, at now: Moment, secondsFromUTC: @escaping (Double) -> Int) {
        self.row = row
        self.secondsFromUTC = secondsFromUTC
        sentence = TaskSentence(row, at: now)
    }

    func lines(width: Int) -> [Line] {
        var lines = [Line(text: state)]
        if let advice = sentence.advice {
            lines += TextBox.wrapped(advice, to: max(width, 1)).map {
                Line(text: $0, isTrouble: true)
            }
        }
        let facts: [(String, String?)] = [
            ("doing", row.state.isEnded ? nil : Self.orNil(row.detail)),
            ("done", amounts), ("below", below), ("time", time), ("process", process),
            ("cancelling loses", Self.orNil(row.options.consequence)),
            ("note", Self.orNil(row.note)), ("name", name),
        ]
        for (label, fact) in facts {
            if let fact { lines.append(Line(text: "\(label): \(fact)")) }
            if label == "below" { lines += HostLines.lines(hosts).map { Line(text: $0) } }
        }
        return lines
    }

    private var state: String {
        var parts = [sentence.word]
        if let percent = sentence.percent { parts.append(percent) }
        if let reason = row.reason, row.state.isEnded { parts.append(PlainText.clean(reason)) }
        if row.attempt > 1 { parts.append("attempt \(row.attempt)") }
        if row.earlierAttempts > 0 { parts.append("\(row.earlierAttempts) before") }
        return parts.joined(separator: ", ")
    }

    private var amounts: String? {
        var parts = [sentence.amounts(width: 60)].filter { !$0.isEmpty }
        if let growth = sentence.growth { parts.append(growth) }
        let rate = sentence.rate(width: 40)
        if !rate.isEmpty { parts.append(rate) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private var below: String? {
        let text = sentence.descendants(width: 200)
        guard !text.isEmpty else { return nil }
        let left = row.childrenLeftOut > 0 ? ", \(row.childrenLeftOut) not listed" : ""
        return text + left
    }

    private static func orNil(_ text: String) -> String? {
        text.isEmpty ? nil : PlainText.clean(text)
    }

    private var time: String? {
        var parts: [String] = []
        if let started = row.startedAt {
            let at = TimeOfDay.text(unixTime: started.unixTime, secondsFromUTC: secondsFromUTC)
            parts.append("since \(at)")
        }
        if let elapsed = sentence.elapsed { parts.append(HumanTime.duration(elapsed)) }
        let left = sentence.timeLeft(width: 40)
        if !left.isEmpty { parts.append(left + " left") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private var process: String? {
        guard let process = row.process else { return nil }
        let command = process.command.isEmpty ? "" : " (\(PlainText.clean(process.command)))"
        return "\(process.pid) on \(PlainText.clean(process.host))\(command)"
    }

    private var name: String? {
        let key = row.parent == nil && !row.key.isEmpty ? PlainText.clean(row.key) + ", " : ""
        let share = row.share.map { ", share \($0)" } ?? ""
        return key + row.id.description + share
    }
}

/// The time on a clock on the wall.
package enum TimeOfDay {
    /// "03:14:07"; the closure says how far local time is ahead of UTC then.
    package static func text(unixTime: Double, secondsFromUTC: (Double) -> Int) -> String {
        guard unixTime.isFinite, unixTime.magnitude < 1e12 else { return "--:--:--" }
        let local = Int(unixTime.rounded(.down)) + secondsFromUTC(unixTime)
        let second = ((local % 86_400) + 86_400) % 86_400
        return [second / 3_600, second / 60 % 60, second % 60]
            .map { ($0 < 10 ? "0" : "") + String($0) }
            .joined(separator: ":")
    }
}
