package import BrokerCore
import Synchronization

/// What no living session could repeat after the broker's death, in one SQLite file.
///
/// `journal.sqlite` in the directory of one endpoint; write-ahead log, `synchronous = NORMAL`:
/// what is committed survives the death of the broker at any moment, not that of the machine.
/// Entries of one kind with the same key replace each other, and a job that leaves takes its
/// entries with it, so that the file is as large as what is alive, not as what has happened.
///
/// All calls are synchronous and serialized; they may come from any thread. They block for the
/// disk, so the broker makes them on a ``JournalThread``.
package final class Journal: Sendable {
    /// The file.
    package let path: String
    /// A sentence for people if a damaged file was set aside when the journal was opened.
    package let warning: String?
    private let database: Mutex<Database>

    /// Opens the journal in this directory; makes both if they do not exist.
    ///
    /// A file that cannot be read as a journal (no database, failed integrity check, another
    /// program's tables, the tables of a newer broker) is renamed to `journal.sqlite.damaged-…`,
    /// a fresh one is begun, and `warning` says so. A file that cannot be opened at all, or a disk
    /// that cannot be written, is an error.
    package init(directory: String) throws(JournalError) {
        let opened = try Self.open(directory: directory)
        path = opened.path
        warning = opened.warning
        database = Mutex(opened.database)
    }

    /// Commits the entries in one transaction, in their order: all of them or none.
    package func commit(_ entries: [JournalEntry]) throws(JournalError) {
        try use("write to") { (database) throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                for entry in entries { try entry.write(to: database) }
            }
        }
    }

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

    /// Moves the log into the file and closes it; nothing may be called afterwards.
    ///
    /// Only tidies up: a journal that is never closed is as complete.
    package func close() {
        database.withLock { $0.close() }
    }

    /// Lets one caller after the other use the file.
    func use<Result>(
        _ doing: String,
        _ body: (Database) throws(DatabaseError) -> sending Result
    ) throws(JournalError) -> sending Result {
        do {
            return try database.withLock { (database) throws(DatabaseError) in try body(database) }
        } catch {
            throw JournalError(error, doing: doing, path: path)
        }
    }
}
