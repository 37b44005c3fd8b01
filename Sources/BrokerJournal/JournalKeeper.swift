package import BrokerCore
import Synchronization

/// The journal of a broker that runs on without one.
///
/// A file that cannot be opened, or that fails for good while it is in use, is opened again with
/// the next transaction, and the one after that, until it works. So a broker that begins on a full
/// disk or in a directory of somebody else's begins all the same, and keeps its promises, none,
/// until it has a disk to keep them on.
///
/// All calls are synchronous; `commit` belongs to one thread.
package final class JournalKeeper: Sendable {
    private struct State {
        var journal: Journal?
        /// What the file holds is known to this broker: it was read, or written by it.
        var isKnown = false
    }

    private let directory: String
    private let warn: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - directory: where the file is, or will be.
    ///   - warn: takes a sentence for people, from any thread.
    package init(directory: String, warn: @escaping @Sendable (String) -> Void) {
        self.directory = directory
        self.warn = warn
    }

    /// Opens the journal and reads it; empty, with a warning, where that cannot be done.
    package func begin() -> JournalContents {
        do {
            let journal = try Journal(directory: directory)
            if let warning = journal.warning { warn(warning) }
            let contents = try journal.load()
            state.withLock { $0 = State(journal: journal, isKnown: true) }
            return contents
        } catch {
            warn(
                "The broker runs without a journal: \(error.sentence) Until that is mended, endings "
                    + "are shown but not acknowledged, and a restart brings back only what living "
                    + "sessions repeat."
            )
            return JournalContents()
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
            state.withLock { $0 = State(journal: nil, isKnown: !error.isOfTheName) }
            throw error
        }
    }

    /// Closes the file; nothing may be called afterwards.
    package func close() {
        state.withLock { $0.journal }?.close()
    }

    private func present() throws(JournalError) -> Journal {
        let (journal, isKnown) = state.withLock { ($0.journal, $0.isKnown) }
        if let journal { return journal }
        var opened = try Journal(directory: directory)
        if let warning = opened.warning { warn(warning) }
        if !isKnown, try !opened.load().entries.isEmpty {
            opened.close()
            let aside = try Journal.setAside(directory: directory)
            warn(
                "The journal of an earlier broker could not be read when this one began and can be "
                    + "now; it was set aside as \(aside) and a new one was begun."
            )
            opened = try Journal(directory: directory)
        }
        state.withLock { $0 = State(journal: opened, isKnown: true) }
        return opened
    }
}
