import Foundation
import Testing

extension Trait where Self == IssueHandlingTrait {
    /// Adds what the processes of the test have said to every failure.
    static var transcript: Self {
        .compactMapIssues { issue in
            guard let bus = TemporaryBus.current else { return issue }
            var issue = issue
            issue.comments.append(Comment(rawValue: bus.transcript))
            return issue
        }
    }
}

extension TemporaryBus {
    /// What the processes have said, the loudest first; bounded.
    var transcript: String {
        let children = self.children
        let brokers = children.filter { $0.name.contains(" broker") }
        let others = children.filter { !$0.name.contains(" broker") && !$0.errorOutput.isEmpty }
        let shown = brokers.suffix(3) + others.suffix(8)
        var text = "\(children.count) processes on \(endpoint)"
        for child in shown {
            let end = child.endIfAny().map(\.description) ?? "running"
            text += "\n--- \(child.name.suffix(200)) (pid \(child.pid), \(end))"
            text += "\n\(child.errorOutput.suffix(2_000))"
        }
        let log = socketDirectory + "/broker.log"
        if let said = try? String(contentsOfFile: log, encoding: .utf8) {
            text += "\n--- \(log)\n\(said.suffix(2_000))"
        }
        return text
    }
}
