import BrokerCore
import TaskTree

extension JournalEntry {
    /// Executes what the entry means, inside the caller's transaction.
    func write(to database: Database) throws(DatabaseError) {
        let (statements, values) = change
        for statement in statements { try database.run(statement, values) }
    }

    private var change: (statements: [String], values: [DatabaseValue]) {
        switch self {
        case .sessionWelcomed(let credential, let session, let hello, let isPresent):
            (
                [JournalTable.session.put],
                [.bytes(credential), session.column, .bytes(hello), .integer(isPresent ? 1 : 0)]
            )
        case .sessionLeft(let credential): ([JournalTable.markSessionLeft], [.bytes(credential)])
        case .sessionForgotten(let credential):
            ([JournalTable.session.remove], [.bytes(credential)])
        case .jobBegan(let job, let key, let title, let slot, let begun):
            (
                [JournalTable.job.put],
                job.columns + [.text(key), .text(title), .integer(Int64(slot)), .real(begun)]
            )
        case .jobLeft(let job): (JournalTable.removeJob, job.columns)
        case .bound(let reporter, _, let payload) where payload.isEmpty:
            ([JournalTable.binding.remove], reporter.columns)
        case .bound(let reporter, let job, let payload):
            ([JournalTable.binding.put], reporter.columns + job.columns + [.bytes(payload)])
        case .row(let reporter, _, let payload) where payload.isEmpty:
            // A task that ended in a job that runs for weeks would leave a row for good.
            ([JournalTable.lastRow.remove], reporter.columns)
        case .row(let reporter, let job, let payload):
            ([JournalTable.lastRow.put], reporter.columns + job.columns + [.bytes(payload)])
        case .fold(let session, let parent, _, let payload) where payload.isEmpty:
            ([JournalTable.fold.remove], [session.column] + parent.columns)
        case .fold(let session, let parent, let job, let payload):
            (
                [JournalTable.fold.put],
                [session.column] + parent.columns + job.columns + [.bytes(payload)]
            )
        case .dismissed(let task, let job):
            ([JournalTable.dismissal.put], task.columns + job.columns)
        case .earlierRuns(let job, nil): ([JournalTable.earlierRuns.remove], job.columns)
        case .earlierRuns(let job, let runs?):
            (
                [JournalTable.earlierRuns.put],
                job.columns + [
                    .integer(Int64(runs.run)), .integer(Int64(runs.failures)),
                    .integer(Int64(runs.failedRun)), .integer(runs.isLost ? 1 : 0),
                    .text(runs.reason),
                ]
            )
        case .slot(let key, let slot, let used):
            (
                [JournalTable.slot.put],
                [.text(key), .integer(Int64(slot)), .integer(Int64(bitPattern: used))]
            )
        case .slotForgotten(let key): ([JournalTable.slot.remove], [.text(key)])
        case .boardPages(let payload):
            ([JournalTable.boardPages.put], [.integer(1), .bytes(payload)])
        case .detachedSession(let session, let lastIndex):
            (
                [JournalTable.detachedSession.put],
                [.integer(1), session.column, .integer(Int64(bitPattern: lastIndex))]
            )
        case .detachedRequest(let id, let number, let time, let task):
            (
                [JournalTable.detachedRequest.put],
                [.bytes(id), .integer(Int64(clamping: number)), .integer(time)] + task.columns
            )
        case .detachedRequestsForgotten(let last):
            ([JournalTable.removeRequests], [.integer(Int64(clamping: last))])
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
