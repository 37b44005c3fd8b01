package import TaskTree

/// Something that no living session could repeat after the broker's death, to be kept on disk.
///
/// Payloads are protobuf bytes that only `BrokerCore` reads: the journal stores and returns them.
/// Entries of one kind with the same key replace each other.
package enum JournalEntry: Sendable, Hashable {
    /// A session was welcomed. Key: `credential`, 16 bytes.
    ///
    /// `isPresent` is false if the entry is read back and the session has left since.
    case sessionWelcomed(
        credential: [UInt8],
        session: SessionID,
        hello: [UInt8],
        isPresent: Bool = true
    )
    /// A session said goodbye or was declared lost; tasks of it are still shown.
    case sessionLeft(credential: [UInt8])
    /// Nothing of the session is left. Removes `sessionWelcomed`.
    case sessionForgotten(credential: [UInt8])
    /// A job was begun and got a slot.
    ///
    /// `begun` is when it began, as its owner states it, in Unix seconds; 0 for not stated.
    case jobBegan(job: TaskID, key: String, title: String, slot: Int, begun: Double)
    /// The earlier runs that a job's row tells of; nil removes them.
    case earlierRuns(job: TaskID, EarlierRuns?)
    /// A job left the live tree: its rows, folds and bindings are no longer needed.
    case jobLeft(job: TaskID)
    /// A redeemer was bound to a ticket's task. Without a payload the binding is removed.
    case bound(reporter: TaskID, job: TaskID?, payload: [UInt8])
    /// The last row of a task: an ending, a row of a lost session, a ticket of an ended session.
    /// Without a payload the row is removed.
    case row(reporter: TaskID, job: TaskID?, payload: [UInt8])
    /// What a session has folded away under one parent. Without a payload the fold is removed.
    case fold(session: SessionID, parent: TaskID, job: TaskID?, payload: [UInt8])
    /// Somebody dismissed a task.
    case dismissed(task: TaskID, job: TaskID?)
    /// The session that owns the broker's own tasks, and the last number given to one.
    case detachedSession(SessionID, lastIndex: UInt64)
    /// A request about a detached task was carried out. Key: `id`, 16 bytes. `number` orders.
    ///
    /// `time` is in Unix seconds.
    case detachedRequest(id: [UInt8], number: UInt64, time: Int64, task: TaskID)
    /// Requests up to this number are not repeated any more.
    case detachedRequestsForgotten(through: UInt64)
    /// The slot book: this key was last seen in this slot. `used` orders by recency.
    case slot(key: String, slot: Int, used: UInt64)
    /// The slot book forgets this key.
    case slotForgotten(key: String)
    /// The pages of a fleet's board that are this broker's.
    case boardPages(payload: [UInt8])
}
