import ProgressBus
import Synchronization

/// When a follower first saw a job as something.
final class Sightings: Sendable {
    private let seen = Mutex<[String: ContinuousClock.Instant]>([:])
    private let follower: BusFollower

    init(of follower: BusFollower) {
        self.follower = follower
        let boards = follower.boards
        Task { [weak self] in
            for try await board in boards {
                guard let self else { return }
                let now = ContinuousClock.now
                for job in board.jobs { note(job, at: now) }
            }
        }
    }

    func close() { follower.close() }

    /// `what` is a state, "silent" or "stalled".
    func first(_ title: String, _ what: String) -> ContinuousClock.Instant? {
        seen.withLock { $0["\(title) \(what)"] }
    }

    private func note(_ job: TaskSnapshot, at now: ContinuousClock.Instant) {
        var words = [job.state.rawValue]
        if job.isSilent { words.append("silent") }
        if job.isStalled { words.append("stalled") }
        seen.withLock { seen in
            for word in words where seen["\(job.title) \(word)"] == nil {
                seen["\(job.title) \(word)"] = now
            }
        }
    }
}
