import BusProtocol
import ProgressBus
import TaskTree

/// Names that come as text: of tasks, tickets, topics and endpoints.
///
/// What is read must be written as it was, so that nothing has two names.
enum Names {
    static func play(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        if let topic = Topic(name: text) { promise(topic.name == text, text) }
        if let task = TaskID(text) { promise(TaskID(task.description) == task, text) }
        if let ticket = ProgressTicket(text) {
            promise(ProgressTicket(ticket.text)?.text == ticket.text, text)
        }
        if let endpoint = try? BusEndpoint(parsing: text) {
            promise((try? BusEndpoint(parsing: endpoint.description)) == endpoint, text)
        }
        let line = text.oneLine
        promise(line.oneLine == line, text)
        promise(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }, text)
        let cut = text.limited(toUTF8: 20)
        promise(cut.utf8.count <= 20 && text.utf8.starts(with: cut.utf8), text)
    }
}
