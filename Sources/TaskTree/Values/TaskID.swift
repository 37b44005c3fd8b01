/// The public name of a session: 64 random bits chosen by the client, shown in base 32.
///
/// It names the session to viewers and is part of every task id. It gives no rights: those come
/// with the credential that only the client and the broker know.
public struct SessionID: Hashable, Comparable, Sendable {
    /// The 64 bits of the name; 0 is never a session.
    public let rawValue: UInt64

    /// Wraps 64 bits that somebody else chose.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Whether both are of the same session.
    @inlinable
    public static func == (left: SessionID, right: SessionID) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Orders by raw value; the order means nothing but is the same everywhere.
    @inlinable
    public static func < (left: SessionID, right: SessionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The name of a task, made without asking anybody: `<index>-<session>`.
///
/// The index rises within its session and is never used again, so that an id names one task for
/// ever. As text the index is in base 36 and the session in base 32, for example `2s-0f5k9…`.
public struct TaskID: Hashable, Comparable, Sendable {
    /// Stands for the id of a task that is on no bus: `progressbus begin` prints it then.
    package static let noTask = "none"

    /// The number of the task within its session, from 1.
    public let index: UInt64
    /// The session that made the task.
    public let session: SessionID

    /// Names the task with this index of that session.
    @inlinable
    public init(index: UInt64, session: SessionID) {
        self.index = index
        self.session = session
    }

    /// Whether both name the same task.
    @inlinable
    public static func == (left: TaskID, right: TaskID) -> Bool {
        left.index == right.index && left.session == right.session
    }

    /// Orders by session, then by index.
    @inlinable
    public static func < (left: TaskID, right: TaskID) -> Bool {
        (left.session, left.index) < (right.session, right.index)
    }
}

extension SessionID: LosslessStringConvertible {
    /// Thirteen letters of base 32 (`0-9a-v`), the highest bits first.
    public var description: String {
        let digits = String(rawValue, radix: 32)
        return String(repeating: "0", count: 13 - digits.count) + digits
    }

    /// Reads what `description` writes; `nil` for anything else and for the empty session 0.
    public init?(_ description: String) {
        guard let value = UInt64(description, radix: 32), value != 0 else { return nil }
        self.init(rawValue: value)
        guard self.description == description else { return nil }
    }
}

extension TaskID: LosslessStringConvertible {
    /// The index in base 36, a hyphen, the session's thirteen letters.
    public var description: String {
        String(index, radix: 36) + "-" + session.description
    }

    /// Reads what `description` writes; `nil` for anything else.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0], radix: 36), index != 0,
            let session = SessionID(String(parts[1]))
        else { return nil }
        self.init(index: index, session: session)
        // Else one task had two names: "2S-…", "02s-…" and "+2s-…" are read as numbers too.
        guard self.description == description else { return nil }
    }
}
