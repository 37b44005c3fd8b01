/// How much work a task is, how much of it is done, and how many work at it: the input for the time
/// left.
///
/// Work is counted in the task's own units; a child is worth its share of them. The value is small,
/// as the broker keeps one for each task.
package struct Workload: Equatable, Sendable {
    package var done: Double
    /// The whole work; `nil` while nobody knows it.
    package var extent: Double?
    /// Children that run now.
    package var running: Int32 = 0
    /// The work that is left in the running children that have moved.
    package var underWay: Float = 0
    /// The shares of the running children whose fraction is unknown.
    package var mute: Float = 0
    /// How many tasks at any depth work at it and have moved.
    package var activeWorkers: Float = 1
    /// How many tasks at any depth run, but report that nothing of them is done; parents of such
    /// tasks included.
    package var unmovedWorkers: Float = 0
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

    /// How many workers are at work, at least 1, where `before` were at work until now.
    ///
    /// A worker whose child has ended has the next one in hand, which may not have moved yet.
    package func hands(before: Float) -> Float {
        max(1, activeWorkers + min(unmovedWorkers, max(0, before - activeWorkers)))
    }

    /// How many of the running children `hands` workers work at, at least 1.
    package func beside(_ hands: Float) -> Float { max(1, min(Float(running), hands)) }

    /// How much work lies between observations that are independent of each other.
    ///
    /// That is half of the work in all hands at a time: a child is slow or fast for as long as it
    /// lasts.
    package func grain(_ hands: Float) -> Double { Double(meanShare * beside(hands) / 2) }
}
