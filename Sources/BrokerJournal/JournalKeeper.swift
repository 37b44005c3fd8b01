package import BrokerCore
import Synchronization

/// The journal of a broker, which goes on without one where the disk fails.
///
/// A file that cannot be opened, or that fails for good while it is in use, is opened again with
/// the next transaction, and the one after that, until it works. So a broker that begins on a full
/// disk or in a directory of somebody else's begins all the same, and keeps its promises, none,
/// until it has a disk to keep them on. What an earlier broker wrote is not lost by that: as soon as
/// it can be read, which is tried every few seconds, `found` says so, and nothing is written until
/// somebody begins anew with it.
///
/// All calls are synchronous; `commit` belongs to one thread.
package final class JournalKeeper: Sendable {
    /// What the file holds.
    private enum Contents {
        /// It was read, or written by this broker.
        case known
        /// Nobody could read it yet.
        case unread
        /// Another file has its name, perhaps, which is none of this broker's.
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
    /// `found` is called where the file could not be read when the broker began and can be read now: by
    /// each `commit`, which fails then, and by `isSettled`, until the keeper is closed.
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

    /// Commits the entries in one transaction, to a journal opened for it if there is none.
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

    /// Looks once more after a file that could not be read when the broker began; whether there is
    /// none any more that might be of interest.
    ///
    /// A broker with nothing to write would else never learn that its disk is mended. Belongs to
    /// the thread that commits.
    package func isSettled() -> Bool {
        guard state.withLock({ $0.contents == .unread }) else { return true }
        // Why not was said when the broker began; a commit says it again.
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
