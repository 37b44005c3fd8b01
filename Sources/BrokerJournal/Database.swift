import CSQLite

/// A value in a column of a table.
enum DatabaseValue {
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case null
}

/// What SQLite said to a call that failed.
struct DatabaseError: Error {
    /// The extended result code.
    var code: Int32
    /// In SQLite's words.
    var message: String

    /// The result code without what extends it.
    var primaryCode: Int32 { code & 0xFF }
}

/// One SQLite file, through the C interface; for one thread at a time.
///
/// Statements are compiled once. Whoever opens the database closes it, which moves the whole log
/// into the file.
final class Database {
    private var connection: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    /// Opens or makes the file; waits so many milliseconds for another program that has it locked.
    init(path: String, waitingForOthers milliseconds: Int32) throws(DatabaseError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let result = sqlite3_open_v2(path, &connection, flags | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK else {
            defer { close() }
            throw error(result)
        }
        sqlite3_busy_timeout(connection, milliseconds)
    }

    deinit { close() }

    /// Closes the file; nothing may be called afterwards.
    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close(connection)
        connection = nil
    }

    /// Executes statements that return nothing, without keeping them.
    func execute(_ script: String) throws(DatabaseError) {
        try check(sqlite3_exec(connection, script, nil, nil, nil))
    }

    /// Executes one statement with these values for its question marks.
    func run(_ statement: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
        try forEachRow(of: statement, values) { (_: DatabaseRow) throws(DatabaseError) in }
    }

    /// Reads the rows that a statement returns.
    func forEachRow(
        of text: String,
        _ values: [DatabaseValue] = [],
        _ read: (DatabaseRow) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let statement = try prepare(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try check(Self.bind(value, to: statement, at: Int32(index + 1)))
        }
        while true {
            let result = sqlite3_step(statement)
            guard result == SQLITE_ROW else {
                guard result == SQLITE_DONE else { throw error(result) }
                return
            }
            try read(DatabaseRow(statement: statement))
        }
    }

    /// The first row that a statement returns.
    func first<Value>(
        _ statement: String,
        _ read: (DatabaseRow) -> Value
    ) throws(DatabaseError) -> Value? {
        var found: Value?
        try forEachRow(of: statement) { (row: DatabaseRow) throws(DatabaseError) in
            found = found ?? read(row)
        }
        return found
    }

    /// Commits what the body does, all of it or, if it throws, nothing.
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // SQLite may have rolled back by itself, as on a full disk.
            if sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Compiles a statement, unless it has been compiled.
    @discardableResult
    func prepare(_ text: String) throws(DatabaseError) -> OpaquePointer {
        if let statement = statements[text] { return statement }
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(connection, text, -1, flags, &statement, nil))
        guard let statement else { throw DatabaseError(code: SQLITE_MISUSE, message: "no SQL") }
        statements[text] = statement
        return statement
    }

    private static func bind(
        _ value: DatabaseValue,
        to statement: OpaquePointer,
        at place: Int32
    ) -> Int32 {
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    bind_text(statement, place, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                bind_bytes(statement, place, $0.baseAddress, Int32(clamping: $0.count))
            }
        case .null: sqlite3_bind_null(statement, place)
        }
    }

    private func check(_ result: Int32) throws(DatabaseError) {
        guard result == SQLITE_OK else { throw error(result) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        let said = sqlite3_errmsg(connection).map { String(cString: $0) }
        return DatabaseError(code: code, message: said ?? "SQLite result code \(code)")
    }
}

/// The row that a statement has just returned; of no use after the next one.
///
/// SQLite converts a column of another type; here the tables are STRICT.
struct DatabaseRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        // In this order, SQLite counts the bytes of the blob.
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
