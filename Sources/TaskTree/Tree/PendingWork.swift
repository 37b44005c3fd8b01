/// Work that is still to be done on a record because something was stated or decided above it.
///
/// One statement may reach a million tasks: the task above them all fails, or their parent turns
/// up. A settling can take in some of them at a time, so that other sessions need not wait for all.
/// A task's own row is right at once; only the sums above it follow later.
struct PendingWork: Sendable {
    let record: PoolNumber
    let kind: Kind

    enum Kind: Sendable {
        /// It is to be settled again.
        case record
        /// It and everything below it are to be settled again.
        case subtree
        /// It is to be attached to its parent, which is in a job by now.
        case attachment

        /// The flag of a record that waits for this work, so that it waits only once.
        var flag: NodeFlags {
            switch self {
            case .record: .awaitsMark
            case .subtree: .awaitsSubtree
            case .attachment: .awaitsAttachment
            }
        }
    }
}
