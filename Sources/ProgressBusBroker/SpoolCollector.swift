import BrokerCore
import BusProtocol
import Logging
import TaskTree

/// Takes last words out of the spool: when to look, which file next, and what became of each.
///
/// A file is deleted when the journal has what it says. One that cannot be deleted is remembered,
/// so that it is not taken in again and again.
struct SpoolCollector {
    /// Seconds between two looks at the directory.
    static let every = 10.0

    private let path: String
    private let logger: Logger
    private var due: Moment
    /// The entries of this round that are left; the next one is at the end.
    private var waiting: [SpoolEntry] = []
    /// The files that the machine has and the journal does not have yet, by number.
    private var taken: [UInt64: String] = [:]
    /// Files that can be neither deleted nor set aside.
    private var stuck: Set<String> = []
    private var lastNumber: UInt64 = 0
    private var said: Set<String> = []

    init(path: String, logger: Logger, now: Moment) {
        self.path = path
        self.logger = logger
        due = now
    }

    /// Whether `next` has something to do.
    func isReady(at now: Moment) -> Bool { !waiting.isEmpty || now >= due }

    /// Looks into the directory in the next turn: a process that has ended may have left a file.
    mutating func lookSoon(at now: Moment) { due = min(due, now) }

    /// Whether a round is under way.
    var isBusy: Bool { !waiting.isEmpty }

    /// What became of an entry of the spool that `next` has looked at.
    enum Look {
        /// A file to take in, under this number.
        case file(number: UInt64, SpoolFile)
        /// It was too old, damaged, or gone by now.
        case nothing
    }

    /// Looks at the next entry, and no further: each may be long, and there may be many.
    ///
    /// `nil` when there is none for now.
    mutating func next(at now: Moment) -> Look? {
        guard let directory = openDirectory() else {
            waiting = []
            due = now.advanced(bySeconds: Self.every)
            return nil
        }
        if waiting.isEmpty {
            guard now >= due else { return nil }
            due = now.advanced(bySeconds: Self.every)
            list(directory)
        }
        guard let entry = waiting.popLast() else { return nil }
        switch entry.judgement {
        case .take:
            if let file = take(entry.name, from: directory) {
                lastNumber += 1
                taken[lastNumber] = entry.name
                return .file(number: lastNumber, file)
            }
        case .leave: break
        case .expired:
            logger.notice(
                "last words in the spool are too old to be shown and are deleted",
                metadata: ["file": "\(entry.name.oneLine)", "age_seconds": "\(entry.age)"]
            )
            if !directory.remove(entry.name) { give(up: entry.name) }
        case .damaged(let reason): setAside(entry.name, because: reason, in: directory)
        }
        return .nothing
    }

    /// Reads a file, or sets it aside; `nil` if it is gone or was no good.
    private mutating func take(
        _ name: String,
        from directory: borrowing SpoolDirectory
    ) -> SpoolFile? {
        do throws(SpoolViolation) {
            return try directory.read(name).map { bytes throws(SpoolViolation) in
                try SpoolFile(decoding: bytes)
            }
        } catch {
            setAside(name, because: error.reason, in: directory)
            return nil
        }
    }

    /// The machine has decided about a file, or the journal has it.
    mutating func decided(_ decision: SpoolDecision, file number: UInt64) {
        guard let name = taken.removeValue(forKey: number), decision != .later,
            let directory = openDirectory()
        else { return }
        switch decision {
        case .later: break
        case .taken: if !directory.remove(name) { give(up: name) }
        case .damaged(let reason): setAside(name, because: reason, in: directory)
        }
    }

    private mutating func list(_ directory: borrowing SpoolDirectory) {
        let inHand = Set(taken.values)
        waiting = directory.entries().filter {
            $0.judgement != .leave && !inHand.contains($0.name) && !stuck.contains($0.name)
        }
        // Taken from the end: the oldest first.
        waiting.reverse()
    }

    private mutating func setAside(
        _ name: String,
        because reason: String,
        in directory: borrowing SpoolDirectory
    ) {
        let isGone = directory.setAside(name)
        logger.warning(
            "a file in the spool cannot be used",
            metadata: [
                "file": "\(name.oneLine)", "why": "\(reason)",
                "set_aside": "\(isGone ? directory.path + "/" + SpoolDirectory.damagedName : "no")",
            ]
        )
        if !isGone { give(up: name) }
    }

    private mutating func give(up name: String) {
        if stuck.count < SpoolLimits.entries { stuck.insert(name) }
        sayOnce(
            "Files cannot be removed from the spool \(path): make it writable for this user, or "
                + "remove it."
        )
    }

    private mutating func openDirectory() -> SpoolDirectory? {
        do throws(SpoolDirectory.Failure) {
            return try SpoolDirectory(path: path)
        } catch {
            sayOnce(error.sentence)
            return nil
        }
    }

    private mutating func sayOnce(_ sentence: String) {
        guard said.insert(sentence).inserted else { return }
        logger.warning("\(sentence)")
    }
}
