import DashboardCore
import ProgressBus

/// The line that says that work goes on, after a while without any other line.
enum Heartbeat {
    /// The most jobs that are named; the rest is counted.
    private static let limit = 3

    /// "still running: 5 jobs (Encode 42%, Scan, Upload 3%, and 2 more), 1 waiting, 1 needs
    /// attention"; `nil` if nothing runs or waits.
    static func line(for tasks: [TaskSnapshot]) -> String? {
        let running = tasks.filter(\.state.isUnderWay)
        let waiting = tasks.filter { $0.state == .waiting }.count
        guard running.count + waiting > 0 else { return nil }
        var parts: [String] = []
        if !running.isEmpty {
            var names = running.prefix(limit).map(name)
            if running.count > limit { names.append("and \(running.count - limit) more") }
            parts.append("\(counted(running.count, "job")) (\(names.joined(separator: ", ")))")
        }
        if waiting > 0 {
            parts.append(running.isEmpty ? counted(waiting, "job") : "\(waiting) waiting")
        }
        let attention = tasks.filter { $0.needsAttention || $0.attentionBelow > 0 }.count
        if attention > 0 { parts.append(inNeedOfAttention(attention)) }
        return "still \(running.isEmpty ? "waiting" : "running"): " + parts.joined(separator: ", ")
    }

    private static func name(_ task: TaskSnapshot) -> String {
        let sentence = TaskSentence(task)
        let word = sentence.word == "running" ? nil : sentence.word
        return [sentence.title, word, sentence.percent].compactMap { $0 }.joined(separator: " ")
    }
}
