import TaskTree

/// Ended jobs that wait for somebody to dismiss them, by owner.
///
/// Above a limit, an owner with more than its share loses its oldest job, so that no owner drives
/// out the failures of others.
struct UndismissedJobs {
    private var owners: [TaskID: ShareOwner] = [:]
    private var jobs: [ShareOwner: AgeOrder<TaskID, UInt64>] = [:]
    private var ended: UInt64 = 0

    private var taken = 0

    var count: Int { owners.count }
    var all: some Collection<TaskID> { owners.keys }

    func contains(_ job: TaskID) -> Bool { owners[job] != nil }

    /// Adds a job as the newest.
    mutating func put(_ job: TaskID, of owner: ShareOwner) {
        remove(job)
        ended += 1
        owners[job] = owner
        jobs[owner, default: AgeOrder()].put(job, age: ended)
    }

    mutating func remove(_ job: TaskID) {
        guard let owner = owners.removeValue(forKey: job) else { return }
        jobs[owner]?.remove(job)
        if jobs[owner]?.isEmpty == true { jobs[owner] = nil }
    }

    /// Takes a job out if there are more than `limit`, after one of `owner` has been added.
    ///
    /// O(1) where that owner has more than its share, else in the number of owners.
    mutating func takeSurplus(above limit: Int, after owner: ShareOwner) -> TaskID? {
        guard count > limit else { return nil }
        let isCrowding = jobs[owner].map { $0.count > limit / jobs.count } ?? false
        guard let crowd = isCrowding ? owner : ownerOfMost(),
            let oldest = jobs[crowd]?.takeOldest()?.element
        else { return nil }
        remove(oldest)
        taken += 1
        return oldest
    }

    /// How many were taken out as surplus since this was asked last.
    mutating func takeCount() -> Int {
        defer { taken = 0 }
        return taken
    }

    /// The owner with the most jobs; among equals, the one whose oldest job is the oldest.
    private func ownerOfMost() -> ShareOwner? {
        let most = jobs.values.lazy.map(\.count).max() ?? 0
        var found: (owner: ShareOwner, age: UInt64)?
        for (owner, jobs) in jobs where jobs.count == most {
            guard let age = jobs.oldestAge, age < found?.age ?? .max else { continue }
            found = (owner, age)
        }
        return found?.owner
    }
}
