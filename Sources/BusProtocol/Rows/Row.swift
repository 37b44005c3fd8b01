package import TaskTree

/// What viewers are sent of one task: `WireRow` as a plain value, for those who send very many.
package struct Row: Sendable {
    package var task: TaskView
    /// The topic's sequence of its last change.
    package var sequence: UInt64
    /// Whether the rarely changing part goes with it.
    package var isDescribed: Bool

    // Where it is shown, with the rarely changing part.

    package var key = ""
    package var slot: Int?
    package var place: Int?
    package var cell: Int?
    /// That of its owner.
    package var process: WireProcess?

    // What one broker has seen of it over time; times in Unix seconds.

    package var displayFraction = 0.0
    package var rate: Double?
    package var secondsLeft: Double?
    package var begun = 0.0
    package var ended: Double?
    package var active = 0.0
    package var advanced = 0.0
    package var exitStatus: Int32?
    package var exitSignal: Int32?
    package var totalBefore: Int64?

    package init(task: TaskView, sequence: UInt64, isDescribed: Bool) {
        self.task = task
        self.sequence = sequence
        self.isDescribed = isDescribed
    }
}
