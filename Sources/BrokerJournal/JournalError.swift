import CSQLite

/// Why the journal could not be opened, read or written.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong and what to do about it, in one or two sentences.
    package var sentence: String
    /// SQLite's extended result code; `nil` if the trouble was not SQLite's.
    package var resultCode: Int32?

    package init(sentence: String, resultCode: Int32? = nil) {
        self.sentence = sentence
        self.resultCode = resultCode
    }

    package var description: String { sentence }

    /// Whether the file is at fault or gone, so that writing to it again is of no use.
    var isOfTheFile: Bool {
        guard let resultCode else { return false }
        switch resultCode & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN,
            SQLITE_SCHEMA, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT:
            return true
        default: return false
        }
    }

    /// Whether its name leads to another file by now, or to none.
    var isOfTheName: Bool {
        resultCode == database_has_moved
    }

    /// Words what SQLite said while `doing` something with the file at `path`.
    init(_ error: any Error, doing: String, path: String) {
        guard let error = error as? DatabaseError else {
            self.init(sentence: "Cannot \(doing) the journal \(path): \(error).")
            return
        }
        let advice =
            switch error.primaryCode {
            case SQLITE_FULL: "Make room on the file system."
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
                "Make the directory writable for this user or choose another one."
            case SQLITE_BUSY, SQLITE_LOCKED:
                "Another broker or program has it open: end that, or choose another directory."
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                "Start the broker again: it sets a damaged journal aside."
            default: "Check the file system or choose another directory."
            }
        self.init(
            sentence: "Cannot \(doing) the journal \(path): \(error.message). \(advice)",
            resultCode: error.code
        )
    }
}
