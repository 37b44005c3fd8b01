package import BrokerCore
import GRDB

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
    /// What had to be done to open it that somebody should know: a damaged file was set aside.
    package let warning: String?
    let database: DatabaseQueue

    /// Opens the journal in this directory; makes both if they do not exist.
    ///
    /// A file that cannot be read as a journal (no database, failed integrity check, another
    /// program's tables, the tables of a newer broker) is renamed to `journal.sqlite.damaged-…`,
    /// a fresh one is begun, and `warning` says so. A file that cannot be opened at all, or a disk
    /// that cannot be written, is an error.
    package init(directory: String) throws(JournalError) {
        let opened = try Self.open(directory: directory)
        path = opened.path
        database = opened.database
        warning = opened.warning
    }

    /// Commits the entries in one transaction, in their order: all of them or none.
    package func commit(_ entries: [JournalEntry]) throws(JournalError) {
        do {
            try database.write { database in
                for entry in entries {
                    try entry.write(to: database)
                }
            }
        } catch {
            throw JournalError(error, doing: "write to", path: path)
        }
    }

    /// Moves the log into the file and closes it; nothing may be called afterwards.
    ///
    /// Only tidies up: a journal that is never closed is as complete.
    package func close() {
        // Fails only while a statement runs, and then the log simply stays for the next broker.
        try? database.close()
    }
}
