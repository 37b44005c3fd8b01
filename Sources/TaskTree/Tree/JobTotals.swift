/// The sums over all jobs that viewers are told.
///
/// Each job adds to the totals as a child adds to its parent's sums, so that nobody has to look at
/// every job.
package struct JobTotals: Equatable, Sendable {
    /// Jobs by state.
    package var jobs = StateCounts()
    /// Jobs and all below them by state, folded tasks included.
    package var tasks = StateCounts()
    /// Tasks that need attention.
    package var needingAttention = 0

    package init() {}

    /// Puts a job in (`sign` 1) or takes it out (−1).
    mutating func add(_ job: Contribution, times sign: Int) {
        guard job.isPresent else { return }
        jobs.add(job.state, times: sign)
        tasks.add(job.state, times: sign)
        if job.needsAttention { needingAttention &+= sign }
    }

    /// Puts in or takes out what is below a job.
    mutating func add(_ below: Descendants, times sign: Int) {
        tasks.add(below.counts, times: sign)
        needingAttention &+= sign &* (below.troubles &+ below.alarms)
    }
}
