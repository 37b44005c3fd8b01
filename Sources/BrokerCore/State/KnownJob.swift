/// What the journal knows of a job that was live when the former broker died.
struct KnownJob {
    let key: String
    let title: String
    /// Nil where another job has it: then it gets a new one.
    var slot: Int?
    var earlierRuns: EarlierRuns?
}
