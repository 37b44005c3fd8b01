package import BrokerCore
import Synchronization

/// The journal of a broker that goes on without one while the disk fails.
///
/// If the file cannot be opened, or fails for good while it is in use, each transaction tries to
/// open it again until that works. So a broker also begins on a full disk or in a directory of
/// somebody else's, and acknowledges no ending until it can write. What an earlier broker wrote is
/// not lost: every few seconds the keeper tries to read it. Once it can be read, the keeper calls
/// `found`, and writes nothing until a broker begins anew with it.
///
/// All calls are synchronous; `commit` belongs to one thread.
package final class JournalKeeper: Sendable {
    /// What the file holds.
    private enum Contents {
        /// This broker has read or written the file.
        case known
        /// The file could not be read yet.
        case unread
        /// The name may lead to another file, which is not this broker's.
        case replaced
    }

    private struct State {
        var journal: Journal?
        var contents = Contents.unread
    }

    private let directory: String
    private let warn: @Sendable (String) -> Void
    private let found: @Sendable () -> Void
    private let state = Mutex(State())

    /// Opens nothing yet; `warn` takes sentences for people, from any thread.
    ///
    /// `found` is called if the file could not be read when the broker began and can be read now:
    /// by each `commit`, which then fails, and by `isSettled`, until the keeper is closed.
    package init(
        directory: String,
        warn: @escaping @Sendable (String) -> Void,
        found: @escaping @Sendable () -> Void
    ) {
        self.directory = directory
        self.warn = warn
        self.found = found
    }

    /// Opens the journal and reads it; empty, with a warning, where that cannot be done.
    package func begin() -> [JournalEntry] {
        do {
            let journal = try Journal(directory: directory)
            if let warning = journal.warning { warn(warning) }
            let entries = try journal.load()
            state.withLock { $0 = State(journal: journal, contents: .known) }
            return entries
        } catch {
            warn(
                "The broker runs without a journal: \(error.sentence) Until that is mended, endings "
                    + "are shown but not acknowledged, and a restart brings back only what living "
                    + "sessions repeat."
            )
            return []
        }
    }

    /// Commits the entries in one transaction; first opens the journal if none is open.
    package func commit(_ entries: [JournalEntry]) throws(JournalError) {
        let journal = try present()
        do {
            try journal.commit(entries)
        } catch {
            guard error.isOfTheFile else { throw error }
            // Another file may be in its place: what that holds is not what this broker knows.
            journal.close()
            state.withLock {
                $0 = State(journal: nil, contents: error.isOfTheName ? .replaced : .known)
            }
            throw error
        }
    }

    /// Tries again to read a file that could not be read when the broker began; returns whether no
    /// such file is left.
    ///
    /// Otherwise a broker with nothing to write would never learn that its disk works again. Only
    /// the thread that commits may call this.
    package func isSettled() -> Bool {
        guard state.withLock({ $0.contents == .unread }) else { return true }
        // `begin` has told people the error; a commit reports it again.
        return (try? present()) != nil
    }

    /// Closes the file; nothing may be called afterwards.
    package func close() {
        state.withLock { $0.journal }?.close()
    }

    private func present() throws(JournalError) -> Journal {
        let (journal, contents) = state.withLock { ($0.journal, $0.contents) }
        if let journal { return journal }
        var opened = try Journal(directory: directory)
        if let warning = opened.warning { warn(warning) }
        if contents != .known, try !opened.load().isEmpty {
            opened.close()
            guard contents == .replaced else {
                found()
                throw JournalError(
                    sentence: "The journal of an earlier broker in \(directory) can be read again: "
                        + "the broker begins anew with it."
                )
            }
            let aside = try Journal.setAside(directory: directory)
            warn(
                "Another journal was put in the place of this broker's; it was set aside as "
                    + "\(aside) and a new one was begun."
            )
            opened = try Journal(directory: directory)
        }
        state.withLock { $0 = State(journal: opened, contents: .known) }
        return opened
    }
}
