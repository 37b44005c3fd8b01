/// What an adapter has understood of a program's output: the newest state of one part of its work.
///
/// Values are absolute, as everywhere on the bus; what is `nil` is not said. The first sample about
/// a part begins it.
package struct ProgressSample: Hashable, Sendable {
    /// Which part of the command's work this is about; `nil` is the command itself.
    ///
    /// Parts are children of the command's task, named as people should read them.
    package var part: String?
    /// How much is done, in `unit`.
    package var completed: Int64?
    /// How much there is to do.
    package var total: Int64?
    /// The total is what the program believes now.
    package var totalIsEstimate = false
    /// What is counted: `bytes`, `files`, …, or `percent`, in which case `total` is 10,000.
    package var unit: String?
    /// What it is at just now.
    package var detail: String?
    /// The part's work is done; the command's own end is its exit status, never a sample.
    package var isDone = false
    /// What was said before of its amounts is taken back; what is said with it holds from then on.
    package var isUnknown = false
    /// How many parts the command will have in all, as far as is known.
    package var expectedParts: Int?

    package init(part: String? = nil) {
        self.part = part
    }
}
