package import BrokerCore
import Foundation
import GRDB
import TaskTree

extension Journal {
    /// Reads back everything that was committed and not removed since.
    ///
    /// Takes some milliseconds per thousand entries; the broker does it once, before it binds.
    package func load() throws(JournalError) -> JournalContents {
        do {
            return try database.read { database in
                var entries: [JournalEntry] = []
                for table in JournalTable.all {
                    let rows = try Row.fetchCursor(database, sql: table.select)
                    while let row = try rows.next() {
                        entries.append(try table.entry(row))
                    }
                }
                return JournalContents(entries: entries)
            }
        } catch {
            throw JournalError(error, doing: "read", path: path)
        }
    }
}

/// How the rows of one table become entries again.
struct JournalTable: Sendable {
    var select: String
    var entry: @Sendable (Row) throws -> JournalEntry

    static let all = [
        JournalTable(select: "SELECT credential, session, hello, present FROM session") { row in
            .sessionWelcomed(
                credential: try row.bytes(0),
                session: row.session(1),
                hello: try row.bytes(2),
                isPresent: row[3] as Int64 != 0
            )
        },
        JournalTable(
            select: "SELECT job_session, job_index, key, title, slot, begun FROM job"
        ) { row in
            .jobBegan(job: row.task(0), key: row[2], title: row[3], slot: row[4], begun: row[5])
        },
        JournalTable(
            select: "SELECT session, task, job_session, job_index, payload FROM binding"
        ) { row in
            .bound(reporter: row.task(0), job: row.job(2), payload: try row.bytes(4))
        },
        JournalTable(
            select: "SELECT session, task, job_session, job_index, payload FROM last_row"
        ) { row in
            .row(reporter: row.task(0), job: row.job(2), payload: try row.bytes(4))
        },
        JournalTable(
            select: "SELECT folder, session, task, job_session, job_index, payload FROM fold"
        ) { row in
            .fold(
                session: row.session(0),
                parent: row.task(1),
                job: row.job(3),
                payload: try row.bytes(5)
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
                    run: row[2],
                    failures: row[3],
                    failedRun: row[4],
                    isLost: row[5],
                    reason: row[6]
                )
            )
        },
        JournalTable(select: "SELECT session, last_task FROM detached_session") { row in
            .detachedSession(row.session(0), lastIndex: UInt64(bitPattern: row[1] as Int64))
        },
        JournalTable(
            select: "SELECT request, number, time, session, task FROM detached_request"
        ) { row in
            .detachedRequest(
                id: try row.bytes(0),
                number: UInt64(clamping: row[1] as Int64),
                time: row[2],
                task: row.task(3)
            )
        },
        JournalTable(select: "SELECT key, slot, used FROM slot") { row in
            .slot(key: row[0], slot: row[1], used: UInt64(bitPattern: row[2] as Int64))
        },
    ]
}

// The schema is STRICT and NOT NULL where these read without a question mark, and the file has
// passed SQLite's integrity check, which verifies both: the conversions below cannot trap.
extension Row {
    fileprivate func bytes(_ column: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: column) { data in data.map { [UInt8]($0) } ?? [] }
    }

    fileprivate func session(_ column: Int) -> SessionID {
        SessionID(rawValue: UInt64(bitPattern: self[column] as Int64))
    }

    fileprivate func task(_ column: Int) -> TaskID {
        TaskID(
            index: UInt64(bitPattern: self[column + 1] as Int64),
            session: session(column)
        )
    }

    fileprivate func job(_ column: Int) -> TaskID? {
        hasNull(atIndex: column) || hasNull(atIndex: column + 1) ? nil : task(column)
    }
}
