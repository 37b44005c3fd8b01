import BrokerCore
import TaskTree

/// One kind of entry on disk: how its rows are written and removed, and become entries again.
struct JournalTable: Sendable {
    /// Reads all rows: the columns of the key, then the others.
    let select: String
    /// Writes a row, its values in the same order; replaces the one with the same key.
    let put: String
    /// Removes the row with a key.
    let remove: String
    /// Removes the rows of a job; `nil` where they belong to none.
    let removeJob: String?
    let entry: @Sendable (DatabaseRow) -> JournalEntry

    private static let ofJob = "job_session, job_index"

    private init(
        _ name: String,
        key: String,
        _ others: String,
        entry: @escaping @Sendable (DatabaseRow) -> JournalEntry
    ) {
        let columns = key + ", " + others
        let places = columns.split(separator: ", ").map { _ in "?" }.joined(separator: ", ")
        // An entry that does not know its job leaves the row with the job that it had.
        let changes = others.split(separator: ", ").map { column in
            let isOfJob = column.hasPrefix("job_")
            return "\(column) = "
                + (isOfJob ? "coalesce(excluded.\(column), \(column))" : "excluded.\(column)")
        }
        select = "SELECT \(columns) FROM \(name)"
        put = """
            INSERT INTO \(name) (\(columns)) VALUES (\(places))
                ON CONFLICT (\(key)) DO UPDATE SET \(changes.joined(separator: ", "))
            """
        func removal(_ key: String) -> String {
            let isEqual = key.split(separator: ", ").map { "\($0) = ?" }
            return "DELETE FROM \(name) WHERE \(isEqual.joined(separator: " AND "))"
        }
        remove = removal(key)
        removeJob = columns.contains(Self.ofJob) ? removal(Self.ofJob) : nil
        self.entry = entry
    }

    static let session = JournalTable("session", key: "credential", "session, hello, present") {
        row in
        .sessionWelcomed(
            credential: row.bytes(0),
            session: row.session(1),
            hello: row.bytes(2),
            isPresent: row.integer(3) != 0
        )
    }
    static let job = JournalTable("job", key: ofJob, "key, title, slot, begun") { row in
        .jobBegan(
            job: row.task(0),
            key: row.text(2),
            title: row.text(3),
            slot: row.int(4),
            begun: row.real(5)
        )
    }
    static let binding = JournalTable("binding", key: "session, task", "\(ofJob), payload") { row in
        .bound(reporter: row.task(0), job: row.job(2), payload: row.bytes(4))
    }
    static let lastRow = JournalTable("last_row", key: "session, task", "\(ofJob), payload") {
        row in
        .row(reporter: row.task(0), job: row.job(2), payload: row.bytes(4))
    }
    static let fold = JournalTable("fold", key: "folder, session, task", "\(ofJob), payload") {
        row in
        .fold(session: row.session(0), parent: row.task(1), job: row.job(3), payload: row.bytes(5))
    }
    static let dismissal = JournalTable("dismissal", key: "session, task", ofJob) { row in
        .dismissed(task: row.task(0), job: row.job(2))
    }
    static let earlierRuns = JournalTable(
        "earlier_runs",
        key: ofJob,
        "run, failures, failed_run, lost, reason"
    ) { row in
        .earlierRuns(
            job: row.task(0),
            EarlierRuns(
                run: row.int(2),
                failures: row.int(3),
                failedRun: row.int(4),
                isLost: row.integer(5) != 0,
                reason: row.text(6)
            )
        )
    }
    static let detachedSession = JournalTable("detached_session", key: "only", "session, last_task")
    { row in
        .detachedSession(row.session(1), lastIndex: UInt64(bitPattern: row.integer(2)))
    }
    static let detachedRequest = JournalTable(
        "detached_request",
        key: "request",
        "number, time, session, task"
    ) { row in
        .detachedRequest(
            id: row.bytes(0),
            number: UInt64(clamping: row.integer(1)),
            time: row.integer(2),
            task: row.task(3)
        )
    }
    static let slot = JournalTable("slot", key: "key", "slot, used") { row in
        .slot(key: row.text(0), slot: row.int(1), used: UInt64(bitPattern: row.integer(2)))
    }
    static let boardPages = JournalTable("board_pages", key: "only", "payload") { row in
        .boardPages(payload: row.bytes(1))
    }

    static let all = [
        session, job, binding, lastRow, fold, dismissal, earlierRuns, detachedSession,
        detachedRequest, slot, boardPages,
    ]

    static let markSessionLeft = "UPDATE session SET present = 0 WHERE credential = ?"
    static let removeRequests = "DELETE FROM detached_request WHERE number <= ?"
    /// Statements that remove a job and all rows that belong to it.
    static let removeJob = all.compactMap(\.removeJob)

    /// Every statement, so that opening a file can try them all.
    static let statements =
        all.flatMap { [$0.select, $0.put, $0.remove] } + removeJob
        + [markSessionLeft, removeRequests]
}

extension DatabaseRow {
    fileprivate func int(_ column: Int32) -> Int { Int(clamping: integer(column)) }

    fileprivate func session(_ column: Int32) -> SessionID {
        SessionID(rawValue: UInt64(bitPattern: integer(column)))
    }

    fileprivate func task(_ column: Int32) -> TaskID {
        TaskID(index: UInt64(bitPattern: integer(column + 1)), session: session(column))
    }

    fileprivate func job(_ column: Int32) -> TaskID? {
        isNull(column) || isNull(column + 1) ? nil : task(column)
    }
}
