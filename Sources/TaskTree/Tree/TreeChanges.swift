/// What one `settle()` changed; each task at most once per list.
package struct TreeChanges: Sendable {
    /// Description, place in the tree or attempt changed; parents before their children.
    package var described: [TaskID] = []
    /// Any number, state or note changed, own or of descendants; contains all of `described`.
    package var progressed: [TaskID] = []
    /// Tasks in a job now that were in none before.
    package var begun: [TaskID] = []
    /// Tasks whose state became an ended one.
    package var ended: [TaskID] = []
    /// Tasks whose state was an ended one and no longer is: a new attempt, a lost owner's word.
    package var reopened: [TaskID] = []
    /// Tasks that were in a job and no longer are; in order of id.
    package var detached: [TaskID] = []

    package init() {}

    /// Whether nothing changed.
    package var isEmpty: Bool {
        progressed.isEmpty && detached.isEmpty
    }
}

/// What the broker concludes about a task whose owner says nothing; any later word replaces it.
package enum Inference: Hashable, Sendable {
    /// The owner is gone without an ending. An unredeemed ticket is not lost with its issuer.
    case lost(reason: String)
    /// Nobody will do it any more, such as a ticket that was never redeemed.
    case cancelled(reason: String)
}
