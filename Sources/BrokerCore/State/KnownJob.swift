/// What the journal knows of a job that was live when the former broker died.
struct KnownJob {
    let key: String
    let title: String
    let slot: Int
}
