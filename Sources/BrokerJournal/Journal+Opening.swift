import CLibrary
import CSQLite
import Essentials

extension Journal {
    static let fileName = "journal.sqlite"
    /// How many damaged journals are kept for whoever wants to look; the oldest are deleted.
    static let damagedKept = 5

    /// Whether the directory has a journal.
    package static func exists(in directory: String) -> Bool {
        FileManager.default.fileExists(atPath: directory + "/" + fileName)
    }

    struct Opened {
        var path: String
        var database: Database
        var warning: String?
    }

    static func open(directory: String) throws(JournalError) -> Opened {
        try StateDirectory.make(directory)
        let path = directory + "/" + fileName
        for suffix in ["", "-wal", "-shm"] { try StateDirectory.checkFile(path + suffix) }
        do {
            return Opened(path: path, database: try openFile(path))
        } catch {
            guard let reason = damage(error) else {
                throw JournalError(error, doing: "open", path: path)
            }
            let aside = try setAside(path, in: directory)
            do {
                let database = try openFile(path)
                let warning =
                    "The journal \(path) could not be used (\(reason)); it was set aside as "
                    + "\(aside) and a new one was begun. Finished jobs of an earlier broker and "
                    + "remembered places on the board are missing."
                return Opened(path: path, database: database, warning: warning)
            } catch {
                throw JournalError(error, doing: "begin", path: path)
            }
        }
    }

    /// Opens, checks and migrates; throws `NotAJournal` or `DatabaseError`.
    private static func openFile(_ path: String) throws -> Database {
        // Another program may have the file open for a moment.
        let database = try Database(path: path, waitingForOthers: 500)
        do {
            // SQLite refuses the file to other programs while this one has it open. The bus's lock
            // file stops a second broker on this host only; other hosts and containers may share
            // the directory.
            try database.execute("PRAGMA locking_mode = EXCLUSIVE")
            // With a write-ahead log this is safe if the broker dies, and takes no fsync for each
            // commit.
            try database.execute("PRAGMA synchronous = NORMAL")
            // A checkpoint gives the space of an unusually large transaction back.
            try database.execute("PRAGMA journal_size_limit = 16777216")
            try refuseForeignFiles(database)
            // Not earlier, because this writes to the file.
            guard try database.first("PRAGMA journal_mode = WAL", { $0.text(0) }) == "wal" else {
                throw DatabaseError(
                    code: SQLITE_CANTOPEN,
                    message: "this file system does not support SQLite's write-ahead log"
                )
            }
            try JournalSchema.migrate(database)
            // Compiling the statements finds a schema that is not the one its version claims.
            for statement in JournalTable.statements { try database.prepare(statement) }
            return database
        } catch {
            // Renaming a file that SQLite still has open would take the new one's log with it.
            database.close()
            throw error
        }
    }

    /// Throws if a file is not a sound journal that this broker can use, before it touches our
    /// tables.
    private static func refuseForeignFiles(_ database: Database) throws {
        let identifier = try database.first("PRAGMA application_id") { $0.integer(0) }
        let tables = try database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        guard identifier == JournalSchema.applicationID || (identifier == 0 && tables == 0) else {
            throw NotAJournal(reason: "it belongs to another program")
        }
        let report = try database.first("PRAGMA integrity_check(1)") { $0.text(0) } ?? ""
        guard report == "ok" else {
            throw NotAJournal(reason: "SQLite's integrity check found: \(report)")
        }
        let version = try JournalSchema.version(of: database)
        guard version <= JournalSchema.versions.count else {
            throw NotAJournal(reason: "a newer broker wrote it")
        }
        guard version > 0 || tables == 0 else {
            throw NotAJournal(reason: "a broker from before the first release wrote it")
        }
    }

    private struct NotAJournal: Error {
        var reason: String
    }

    /// What is wrong with the file itself; `nil` if the trouble lies around it (rights, a full or
    /// failing disk, somebody's lock), where beginning a fresh file would only lose the good one.
    private static func damage(_ error: any Error) -> String? {
        switch error {
        case let error as NotAJournal:
            return error.reason
        case let error as DatabaseError:
            switch error.primaryCode {
            case SQLITE_NOTADB: return "it is not a database"
            case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH,
                SQLITE_FORMAT:
                return error.message
            default: return nil
            }
        default:
            return nil
        }
    }

    /// Sets aside the journal in a directory that nobody has open; returns its new path.
    static func setAside(directory: String) throws(JournalError) -> String {
        try setAside(directory + "/" + fileName, in: directory)
    }

    /// Renames the file and its log; returns the new name.
    private static func setAside(
        _ path: String,
        in directory: String
    ) throws(JournalError)
        -> String
    {
        let files = FileManager.default
        let format = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let stem = path + ".damaged-" + Date().formatted(format)
        var aside = stem
        var number = 2
        // The log counts too: SQLite would take one left beside that name for the renamed file's.
        while ["", "-wal", "-shm"].contains(where: { files.fileExists(atPath: aside + $0) }) {
            aside = "\(stem).\(number)"
            number += 1
        }
        for suffix in ["-wal", "-shm", ""] where files.fileExists(atPath: path + suffix) {
            guard rename(path + suffix, aside + suffix) != 0 else { continue }
            throw JournalError(
                sentence: "The journal \(path) is damaged and cannot be set aside: "
                    + "\(String(cString: strerror(errno))). Move it away by hand."
            )
        }
        deleteOldest(in: directory)
        return aside
    }

    private static func deleteOldest(in directory: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
        // The time stamp sorts as text.
        let damaged = names.filter {
            $0.hasPrefix(fileName + ".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }.sorted()
        for name in damaged.dropLast(damagedKept) {
            for suffix in ["", "-wal", "-shm"] {
                // Best effort: one file too many harms nobody.
                try? files.removeItem(atPath: directory + "/" + name + suffix)
            }
        }
    }
}
