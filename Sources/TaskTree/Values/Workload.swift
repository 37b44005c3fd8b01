/// How much work a task is, how much of it is done, and who is at it: what time left is told from.
///
/// Counted in the task's own units, of which a child is worth its share. Small, as the broker keeps
/// one for each task.
package struct Workload: Equatable, Sendable {
    package var done: Double
    /// The whole; `nil` while nobody knows it.
    package var extent: Double?
    /// Children that run now.
    package var running: Int32 = 0
    /// What those have still to do.
    package var underWay: Float = 0
    /// What those of them are worth that do not tell how far they are.
    package var mute: Float = 0
    /// How many tasks work at it, at whatever depth; at least 1.
    package var activeWorkers: Float = 1
    /// What a child is worth on average; 0 without children.
    package var meanShare: Float = 0

    /// The work of a task that does it all itself.
    package init(done: Double, extent: Double?) {
        self.done = done.isFinite ? max(0, done) : 0
        self.extent = extent.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    package var hasChildren: Bool { meanShare > 0 }

    /// What is to be done yet; `nil` while nobody knows.
    package var rest: Double? { extent.map { max(0, $0 - done) } }

    /// How much work lies between signs that are independent of each other.
    ///
    /// That is half of what is in the children's hands at a time: a child is slow or fast for as
    /// long as it lasts.
    package var grain: Double { Double(meanShare * Float(max(1, running)) / 2) }
}
