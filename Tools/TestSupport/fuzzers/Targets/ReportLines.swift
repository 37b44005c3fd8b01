import ProcessControl
import ProgressBus

/// The lines that a script gives to `progressbus report`, up to where tasks would be begun.
enum ReportLines {
    static func play(_ input: [UInt8]) {
        var splitter = LineSplitter(limit: 1_024)
        var names = ReportNames(hasRoot: input.count % 2 == 0)
        // In two pieces, as a pipe may give them.
        let middle = input.count / 2
        var lines = splitter.feed(input[..<middle]) + splitter.feed(input[middle...])
        if let last = splitter.finish() { lines.append(last) }
        for case .line(let line) in lines {
            promise(line.count <= 1_024, "a line of \(line.count) bytes")
            do throws(ReportLineError) {
                let operation = try ReportOperation(parsing: line)
                answer(try names.accept(operation))
            } catch {
                promise(!error.description.isEmpty, "a refusal without words")
            }
        }
        promise(names.openTasks.count <= ReportNames.limit, "the limit of open tasks")
    }

    /// What the script hears is one object on one line, whatever it called its tasks.
    private static func answer(_ operation: ReportOperation) {
        let event: ReportEvent
        switch operation {
        case .ticket(let ticket): event = .ticket(id: ticket.id, ticket: ticket.title)
        case .begin(let begin): event = .request(.cancel, id: begin.id)
        case .sync: event = .synced(isComplete: true)
        default: return
        }
        guard let line = try? event.line else { return promise(false, "no line: \(event)") }
        promise(!line.utf8.contains(UInt8(ascii: "\n")), "two lines: \(line)")
        do throws(ReportLineError) {
            let fields = try ReportFields.parse(line.utf8)
            guard case .ticket(let id, _) = event else { return }
            promise(try fields.text("id") == id, "another id: \(line)")
        } catch {
            promise(false, "\(error): \(line)")
        }
    }
}
