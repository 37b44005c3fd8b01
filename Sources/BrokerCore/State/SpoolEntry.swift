import BusProtocol

/// What the file system says about an entry of the spool, before it is opened and after.
package struct SpoolEntry: Sendable {
    package enum Kind: Sendable {
        case file, directory, symbolicLink, other
    }

    package enum Judgement: Hashable, Sendable {
        /// Read it.
        case take
        /// Somebody is still writing it, or it is no file of ours: leave it.
        case leave
        /// It is too old to be shown as something that has just ended: delete it.
        case expired
        /// Set it aside unread. The reason ends a sentence.
        case damaged(String)
    }

    package var name: String
    package var kind: Kind
    /// It belongs to the user of this broker.
    package var isOwn: Bool
    /// Permission bits.
    package var mode: UInt32
    package var size: Int64
    /// Seconds since it was last written; negative if that lies in the future.
    package var age: Int64

    package init(
        name: String,
        kind: Kind,
        isOwn: Bool = true,
        mode: UInt32 = 0o600,
        size: Int64,
        age: Int64 = 0
    ) {
        self.name = name
        self.kind = kind
        self.isOwn = isOwn
        self.mode = mode
        self.size = size
        self.age = age
    }

    /// What is to be done with it.
    package var judgement: Judgement {
        if kind == .directory { return .leave }
        if name.hasPrefix(".") {
            // An old `.tmp` file is of a writer that died; a file with another hidden name is not
            // ours.
            return name.hasSuffix(".tmp") && age > SpoolLimits.seconds ? .expired : .leave
        }
        switch kind {
        case .symbolicLink: return .damaged("it is a symbolic link")
        case .other, .directory: return .damaged("it is no file")
        case .file: break
        }
        guard isOwn else { return .damaged("it belongs to another user") }
        guard mode & 0o077 == 0 else { return .damaged("others may read or write it") }
        guard size <= SpoolLimits.fileBytes else {
            return .damaged("it has \(size) bytes and at most \(SpoolLimits.fileBytes) are allowed")
        }
        return age > SpoolLimits.seconds ? .expired : .take
    }
}
