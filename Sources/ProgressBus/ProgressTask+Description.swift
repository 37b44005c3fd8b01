import TaskTree

/// What a task says about itself while it runs; each call costs a lock and no more.
extension ProgressTask {
    /// How much there is to do, in units; `nil` while that is unknown.
    public var total: Int? {
        reporter.peek { $0.tasks[self.id.index]?.total }.map { Int($0) }
    }

    /// Says how much there is to do.
    ///
    /// - Parameter total: In units; 0 means that there is nothing to do, and negative counts as 0.
    public func setTotal(_ total: Int) {
        let total = Int64.amount(total)
        reporter.report { $0.setTotal(total, of: self.id.index, at: $1) }
    }

    /// Says how much there is to do, and whether that is only a guess.
    ///
    /// - Parameters:
    ///   - total: In units; negative counts as 0.
    ///   - isEstimate: Whether it may still change.
    public func setTotal(_ total: Int, isEstimate: Bool) {
        setTotal(total)
        describe { $0.options.totalIsEstimate = isEstimate }
    }

    /// Says that nobody knows how much there is to do.
    public func clearTotal() {
        reporter.report { $0.setTotal(nil, of: self.id.index, at: $1) }
    }

    /// Says what is done at the moment, for instance the file at hand.
    ///
    /// - Parameter detail: At most 500 bytes are sent; an empty text shows nothing.
    public func setDetail(_ detail: String) {
        let detail = detail.clipped(toBytes: 500)
        reporter.report { $0.setDetail(detail, of: self.id.index, at: $1) }
    }

    /// Gives the task a better title.
    ///
    /// - Parameter title: At most 200 bytes are sent.
    public func setTitle(_ title: String) {
        reporter.warnIfVague(title)
        let title = title.clipped(toBytes: 200)
        describe { $0.title = title }
    }

    /// Says what is counted.
    ///
    /// - Parameter unit: What `completed` and `total` are numbers of.
    public func setUnit(_ unit: ProgressUnit) {
        describe { $0.unit = unit.name }
    }

    /// Says what the task is worth.
    ///
    /// - Parameter share: In units of the parent; limited to 0 through 2⁴⁸.
    public func setShare(_ share: Int) {
        let share = Int64.share(share)
        describe { $0.share = share }
    }

    /// Says how many children there will be in all, so that a task without a total has a fraction.
    ///
    /// - Parameter count: All children, those already begun included; negative counts as 0.
    public func expectChildren(_ count: Int) {
        describe { $0.options.expectedChildren = max(0, count) }
    }

    /// Says how long the task usually goes without an advance.
    ///
    /// - Parameter gap: Viewers show the task as stalled after a longer gap; `nil` leaves it to the
    ///   broker.
    public func setExpectedGap(_ gap: Duration?) {
        describe { $0.options.expectedGap = gap.map { max(.zero, $0) } }
    }

    /// Asks for a colour.
    ///
    /// - Parameter tint: The name of a colour, at most 20 bytes; empty leaves it to the viewers.
    public func setTint(_ tint: String) {
        describe { $0.options.tint = tint }
    }

    /// Says what is lost by cancelling now.
    ///
    /// - Parameter consequence: A sentence that viewers show when they ask whether to cancel; at
    ///   most 500 bytes, empty if nothing is lost.
    public func setConsequence(_ consequence: String) {
        let consequence = consequence.clipped(toBytes: 500)
        describe { $0.options.consequence = consequence }
    }

    /// Writes a line into the log of the task's job.
    ///
    /// Use it for what a reader should still know later, and `setDetail` for what happens right
    /// now. The newest 1,000 lines are kept until a broker takes them.
    ///
    /// - Parameter text: One line; at most 1,000 bytes are sent.
    public func log(_ text: String) {
        reporter.log(text.clipped(toBytes: 1_000), of: id.index)
    }

    /// Says that the task holds: viewers show it as paused, and its clock stops.
    ///
    /// `checkpoint()` does this by itself.
    public func pause() {
        reporter.tell { $0.setPaused(true, self.id.index, at: $1) }
    }

    /// Says that the task runs again.
    public func resume() {
        reporter.tell { $0.setPaused(false, self.id.index, at: $1) }
    }

    private func describe(_ change: (inout TaskDescription) -> Void) {
        reporter.report { $0.describe(self.id.index, at: $1, change) }
    }
}
