import BrokerCore
import TaskTree

/// Every statement that writes, in one place, so that opening a file can try them all.
enum SQL {
    static let putSession = "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?)"
    static let markSessionLeft = "UPDATE session SET present = 0 WHERE credential = ?"
    static let deleteSession = "DELETE FROM session WHERE credential = ?"
    static let putJob = "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?)"
    static let putBinding = putOfJob("binding", key: "session, task", value: ", payload")
    static let putRow = putOfJob("last_row", key: "session, task", value: ", payload")
    static let deleteRow = "DELETE FROM last_row WHERE session = ? AND task = ?"
    static let deleteBinding = "DELETE FROM binding WHERE session = ? AND task = ?"
    static let deleteFold = "DELETE FROM fold WHERE folder = ? AND session = ? AND task = ?"
    static let putFold = putOfJob("fold", key: "folder, session, task", value: ", payload")
    static let putDismissal = putOfJob("dismissal", key: "session, task", value: "")
    static let putEarlierRuns = "INSERT OR REPLACE INTO earlier_runs VALUES (?, ?, ?, ?, ?, ?, ?)"
    static let deleteEarlierRuns =
        "DELETE FROM earlier_runs WHERE job_session = ? AND job_index = ?"
    static let putSlot = "INSERT OR REPLACE INTO slot VALUES (?, ?, ?)"
    static let deleteSlot = "DELETE FROM slot WHERE key = ?"
    static let putBoardPages = "INSERT OR REPLACE INTO board_pages VALUES (1, ?)"
    static let putDetachedSession = "INSERT OR REPLACE INTO detached_session VALUES (1, ?, ?)"
    static let putDetachedRequest = "INSERT OR REPLACE INTO detached_request VALUES (?, ?, ?, ?, ?)"
    static let deleteDetachedRequests = "DELETE FROM detached_request WHERE number <= ?"

    /// What a job takes with it: itself, then everything filed under it.
    static let deleteJob = (["job"] + JournalSchema.tablesOfJobs).map { table in
        "DELETE FROM \(table) WHERE job_session = ? AND job_index = ?"
    }

    static let all =
        [
            putSession, markSessionLeft, deleteSession, putJob, putBinding, putRow, deleteRow,
            putFold, deleteBinding, deleteFold, putDismissal, putEarlierRuns,
            deleteEarlierRuns, putSlot, deleteSlot, putBoardPages,
            putDetachedSession, putDetachedRequest,
            deleteDetachedRequests,
        ] + deleteJob

    /// Replaces, but an entry that does not know its job never un-files one that did.
    private static func putOfJob(_ table: String, key: String, value: String) -> String {
        let columns = key + ", job_session, job_index" + value
        let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        let payload = value.isEmpty ? "" : ", payload = excluded.payload"
        return """
            INSERT INTO \(table) (\(columns)) VALUES (\(places)) ON CONFLICT (\(key)) DO UPDATE SET
                job_session = coalesce(excluded.job_session, job_session),
                job_index = coalesce(excluded.job_index, job_index)\(payload)
            """
    }
}

extension JournalEntry {
    /// Executes what the entry means, inside the caller's transaction.
    func write(to database: Database) throws(DatabaseError) {
        switch self {
        case .sessionWelcomed(let credential, let session, let hello, let isPresent):
            try database.run(
                SQL.putSession,
                [
                    .bytes(credential), session.column, .bytes(hello),
                    .integer(isPresent ? 1 : 0),
                ]
            )
        case .sessionLeft(let credential):
            try database.run(SQL.markSessionLeft, [.bytes(credential)])
        case .sessionForgotten(let credential):
            try database.run(SQL.deleteSession, [.bytes(credential)])
        case .jobBegan(let job, let key, let title, let slot, let begun):
            try database.run(
                SQL.putJob,
                job.columns + [.text(key), .text(title), .integer(Int64(slot)), .real(begun)]
            )
        case .jobLeft(let job):
            for statement in SQL.deleteJob {
                try database.run(statement, job.columns)
            }
        case .bound(let reporter, _, let payload) where payload.isEmpty:
            try database.run(SQL.deleteBinding, reporter.columns)
        case .bound(let reporter, let job, let payload):
            try database.run(SQL.putBinding, reporter.columns + job.columns + [.bytes(payload)])
        case .row(let reporter, _, let payload) where payload.isEmpty:
            // A task that ended in a job that runs for weeks would leave a row for good.
            try database.run(SQL.deleteRow, reporter.columns)
        case .row(let reporter, let job, let payload):
            try database.run(SQL.putRow, reporter.columns + job.columns + [.bytes(payload)])
        case .fold(let session, let parent, _, let payload) where payload.isEmpty:
            try database.run(SQL.deleteFold, [session.column] + parent.columns)
        case .fold(let session, let parent, let job, let payload):
            try database.run(
                SQL.putFold,
                [session.column] + parent.columns + job.columns + [.bytes(payload)]
            )
        case .dismissed(let task, let job):
            try database.run(SQL.putDismissal, task.columns + job.columns)
        case .earlierRuns(let job, nil):
            try database.run(SQL.deleteEarlierRuns, job.columns)
        case .earlierRuns(let job, let runs?):
            try database.run(
                SQL.putEarlierRuns,
                job.columns + [
                    .integer(Int64(runs.run)), .integer(Int64(runs.failures)),
                    .integer(Int64(runs.failedRun)), .integer(runs.isLost ? 1 : 0),
                    .text(runs.reason),
                ]
            )
        case .slot(let key, let slot, let used):
            try database.run(
                SQL.putSlot,
                [.text(key), .integer(Int64(slot)), .integer(Int64(bitPattern: used))]
            )
        case .slotForgotten(let key):
            try database.run(SQL.deleteSlot, [.text(key)])
        case .boardPages(let payload):
            try database.run(SQL.putBoardPages, [.bytes(payload)])
        case .detachedSession(let session, let lastIndex):
            try database.run(
                SQL.putDetachedSession,
                [session.column, .integer(Int64(bitPattern: lastIndex))]
            )
        case .detachedRequest(let id, let number, let time, let task):
            try database.run(
                SQL.putDetachedRequest,
                [.bytes(id), .integer(Int64(clamping: number)), .integer(time)]
                    + task.columns
            )
        case .detachedRequestsForgotten(let last):
            try database.run(SQL.deleteDetachedRequests, [.integer(Int64(clamping: last))])
        }
    }
}

extension SessionID {
    fileprivate var column: DatabaseValue { .integer(Int64(bitPattern: rawValue)) }
}

extension TaskID {
    /// Session first, as in every primary key: tasks of one session lie side by side.
    fileprivate var columns: [DatabaseValue] {
        [session.column, .integer(Int64(bitPattern: index))]
    }
}

extension TaskID? {
    fileprivate var columns: [DatabaseValue] {
        map(\.columns) ?? [.null, .null]
    }
}
