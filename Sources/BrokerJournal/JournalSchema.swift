/// The tables of `journal.sqlite` and how older files become newer ones.
///
/// A table per kind of entry, its key as primary key, so that an entry replaces the one before it
/// and reading everything back is one pass. Ids are kept as two integers, unsigned ones as the
/// signed number with the same bits. `STRICT` makes SQLite itself refuse values of another type,
/// so that what passes its integrity check can be read.
enum JournalSchema {
    /// "PBjn": says that a file is ours, so that nobody else's database is written to.
    static let applicationID: Int64 = 0x5042_6A6E

    /// The scripts that turn each version of the tables into the next.
    ///
    /// `user_version` of a file says how many of them have been executed.
    static let versions = [version1, version2]

    static func version(of database: Database) throws(DatabaseError) -> Int {
        Int(clamping: try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0)
    }

    /// Makes the tables in a fresh file, and updates those of an older version.
    static func migrate(_ database: Database) throws(DatabaseError) {
        let version = try version(of: database)
        guard version < versions.count else { return }
        // All in one transaction: a file has our tables exactly if it has our application id.
        try database.transaction { () throws(DatabaseError) in
            for script in versions.dropFirst(version) { try database.execute(script) }
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(versions.count)")
        }
    }

    /// `begun` of a job is 0 where its owner did not say it.
    ///
    /// The rows of the broker's own tasks are in `last_row` too; `detached_session` says whose they
    /// are, and `detached_request` which requests about them were carried out, by age.
    private static let version1 = """
        CREATE TABLE session (
            credential BLOB NOT NULL PRIMARY KEY, session INTEGER NOT NULL, hello BLOB NOT NULL,
            present INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE job (
            job_session INTEGER NOT NULL, job_index INTEGER NOT NULL,
            key TEXT NOT NULL, title TEXT NOT NULL, slot INTEGER NOT NULL, begun REAL NOT NULL,
            PRIMARY KEY (job_session, job_index)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE earlier_runs (
            job_session INTEGER NOT NULL, job_index INTEGER NOT NULL,
            run INTEGER NOT NULL, failures INTEGER NOT NULL, failed_run INTEGER NOT NULL,
            lost INTEGER NOT NULL, reason TEXT NOT NULL,
            PRIMARY KEY (job_session, job_index)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE binding (
            session INTEGER NOT NULL, task INTEGER NOT NULL,
            job_session INTEGER, job_index INTEGER, payload BLOB NOT NULL,
            PRIMARY KEY (session, task)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE last_row (
            session INTEGER NOT NULL, task INTEGER NOT NULL,
            job_session INTEGER, job_index INTEGER, payload BLOB NOT NULL,
            PRIMARY KEY (session, task)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE fold (
            folder INTEGER NOT NULL, session INTEGER NOT NULL, task INTEGER NOT NULL,
            job_session INTEGER, job_index INTEGER, payload BLOB NOT NULL,
            PRIMARY KEY (folder, session, task)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE dismissal (
            session INTEGER NOT NULL, task INTEGER NOT NULL,
            job_session INTEGER, job_index INTEGER,
            PRIMARY KEY (session, task)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE slot (
            key TEXT NOT NULL PRIMARY KEY, slot INTEGER NOT NULL, used INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE detached_session (
            only INTEGER NOT NULL PRIMARY KEY CHECK (only = 1), session INTEGER NOT NULL,
            last_task INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE detached_request (
            request BLOB NOT NULL PRIMARY KEY, number INTEGER NOT NULL, time INTEGER NOT NULL,
            session INTEGER NOT NULL, task INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX binding_of_job ON binding (job_session, job_index);
        CREATE INDEX last_row_of_job ON last_row (job_session, job_index);
        CREATE INDEX fold_of_job ON fold (job_session, job_index);
        CREATE INDEX dismissal_of_job ON dismissal (job_session, job_index);
        CREATE INDEX detached_request_by_number ON detached_request (number);
        """

    private static let version2 = """
        CREATE TABLE board_pages (
            only INTEGER NOT NULL PRIMARY KEY CHECK (only = 1), payload BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
