package import BrokerCore
import TaskTree

extension Journal {
    /// Reads back everything that was committed and not removed since, in no particular order.
    ///
    /// Takes some milliseconds per thousand entries; the broker does it once, before it binds.
    package func load() throws(JournalError) -> [JournalEntry] {
        try use("read") { (database) throws(DatabaseError) in
            var entries: [JournalEntry] = []
            for table in JournalTable.all {
                try database.forEachRow(of: table.select) { (row) throws(DatabaseError) in
                    entries.append(table.entry(row))
                }
            }
            return entries
        }
    }
}

/// How the rows of one table become entries again.
struct JournalTable: Sendable {
    var select: String
    var entry: @Sendable (DatabaseRow) -> JournalEntry

    static let all = [
        JournalTable(select: "SELECT credential, session, hello, present FROM session") { row in
            .sessionWelcomed(
                credential: row.bytes(0),
                session: row.session(1),
                hello: row.bytes(2),
                isPresent: row.integer(3) != 0
            )
        },
        JournalTable(
            select: "SELECT job_session, job_index, key, title, slot, begun FROM job"
        ) { row in
            .jobBegan(
                job: row.task(0),
                key: row.text(2),
                title: row.text(3),
                slot: row.int(4),
                begun: row.real(5)
            )
        },
        JournalTable(
            select: "SELECT session, task, job_session, job_index, payload FROM binding"
        ) { row in
            .bound(reporter: row.task(0), job: row.job(2), payload: row.bytes(4))
        },
        JournalTable(
            select: "SELECT session, task, job_session, job_index, payload FROM last_row"
        ) { row in
            .row(reporter: row.task(0), job: row.job(2), payload: row.bytes(4))
        },
        JournalTable(
            select: "SELECT folder, session, task, job_session, job_index, payload FROM fold"
        ) { row in
            .fold(
                session: row.session(0),
                parent: row.task(1),
                job: row.job(3),
                payload: row.bytes(5)
            )
        },
        JournalTable(
            select: "SELECT session, task, job_session, job_index FROM dismissal"
        ) { row in
            .dismissed(task: row.task(0), job: row.job(2))
        },
        JournalTable(
            select: """
                SELECT job_session, job_index, run, failures, failed_run, lost, reason
                FROM earlier_runs
                """
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
        },
        JournalTable(select: "SELECT session, last_task FROM detached_session") { row in
            .detachedSession(row.session(0), lastIndex: UInt64(bitPattern: row.integer(1)))
        },
        JournalTable(
            select: "SELECT request, number, time, session, task FROM detached_request"
        ) { row in
            .detachedRequest(
                id: row.bytes(0),
                number: UInt64(clamping: row.integer(1)),
                time: row.integer(2),
                task: row.task(3)
            )
        },
        JournalTable(select: "SELECT key, slot, used FROM slot") { row in
            .slot(key: row.text(0), slot: row.int(1), used: UInt64(bitPattern: row.integer(2)))
        },
        JournalTable(select: "SELECT payload FROM board_pages") { row in
            .boardPages(payload: row.bytes(0))
        },
    ]
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
