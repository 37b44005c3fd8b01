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
            guard let operation = try Self.operation(of: line) else { return }
            let accepted = try names.accept(operation)
            guard let event = await session.perform(accepted) else { return }
            // Work does not end because nobody listens to what it has to say.
            try? StandardStreams.print(event.line)
        } catch {
            badLines += 1
            StandardStreams.complain("line \(lineNumber): \(error.description)")
        }
    }

    /// Ends what still runs; `lost` leaves it to the broker, which sees it unfinished.
    mutating func finish(_ finish: ReportCommand.Finish) {
        let state: ReportOperation.EndState
        switch finish {
        case .succeeded: state = .succeeded
        case .failed: state = .failed
        case .cancelled: state = .cancelled
        case .lost: return
        }
        for id in names.openTasks {
            session.end(id, state)
        }
    }

    private static func operation(
        of line: LineSplitter.Line
    ) throws(ReportLineError) -> ReportOperation? {
        switch line {
        case .tooLong:
            throw ReportLineError("it is longer than 1 MiB; write shorter lines")
        case .line(let bytes):
            let blanks = Set(" \t\r".utf8)
            guard !bytes.allSatisfy(blanks.contains) else { return nil }
            return try ReportOperation(parsing: bytes)
        }
    }
}
