/// What is still to be done to a record because of a word above it.
///
/// One word may reach a million tasks: who speaks for them all fails, or their parent turns up. They
/// are taken in a part at a time, so that other sessions do not wait for all of them. A task's own row
/// is right from the first moment on; only the sums above it follow later.
struct PendingWork: Sendable {
    let record: PoolNumber
    let kind: Kind

    enum Kind: Sendable {
        /// It is to be settled again.
        case record
        /// It and everything below it are to be settled again.
        case subtree
        /// Its parent is in a job by now.
        case attachment

        /// Set for as long as a record waits for it, so that it waits for it once.
        var flag: NodeFlags {
            switch self {
            case .record: .awaitsMark
            case .subtree: .awaitsSubtree
            case .attachment: .awaitsAttachment
            }
        }
    }
}
