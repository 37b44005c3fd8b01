import ProcessControl
import DashboardCore

/// Takes the lines of a script one after the other, counts the bad ones and carries out the rest.
struct ReportInterpreter {
    private var session: ReportSession
    private var names: ReportNames
    private var lineNumber = 0
    private(set) var badLines = 0

    init(session: ReportSession, names: ReportNames) {
        self.session = session
        self.names = names
    }

    /// Carries out one line; a bad one is named on standard error.
    mutating func accept(_ line: LineSplitter.Line) async {
        lineNumber += 1
        do throws(ReportLineError) {
            guard let operation = try operation(of: line) else { return }
            let accepted = try names.accept(operation)
            guard let event = await session.perform(accepted) else { return }
            // Work does not end because nobody listens to what it has to say.
            try? StandardStreams.print(event.line)
        } catch {
            badLines += 1
            StandardStreams.complain("line \(lineNumber): \(error.description)")
        }
    }

    /// Ends what still runs: the input is over, and who wrote it may have crashed.
    ///
    /// Not if nothing is open but a root that the environment asked for, of which the input need not
    /// know: that has succeeded then.
    mutating func finish(_ finish: ReportOperation.EndState, isRootImplied: Bool) {
        if isRootImplied, finish == .failed, names.openTasks == [ReportNames.root] {
            return session.end(ReportNames.root, .succeeded)
        }
        let reason = "the input of `progressbus report` ended before this had"
        for id in names.openTasks {
            session.end(id, finish, reason: finish == .failed ? reason : nil)
        }
    }

    private func operation(
        of line: LineSplitter.Line
    ) throws(ReportLineError) -> ReportOperation? {
        switch line {
        case .tooLong:
            throw ReportLineError("it is longer than 1 MiB; write shorter lines")
        case .line(let bytes):
            let blanks = Set(" \t\r".utf8)
            guard !bytes.allSatisfy(blanks.contains) else { return nil }
            return try ReportOperation(parsing: bytes) { fields in
                guard !fields.unread.isEmpty else { return }
                let list = fields.unread.map { "\"\(PlainText.clean($0))\"" }.joined(
                    separator: ", "
                )
                StandardStreams.complain("line \(lineNumber): \(list) means nothing here; ignored")
            }
        }
    }
}
