import ProgressBus
import TaskTree

extension BusFollower {
    /// Returns the task as it is now; `nil` if it has left the tree.
    ///
    /// Subscribes to no more than the block that shows the task, if one does.
    ///
    /// - Throws: `FollowError`; a `CommandFailure` if the broker is silent for `timeout`.
    func snapshot(of match: TaskMatch, timeout: Duration) async throws -> TaskSnapshot? {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.snapshot(of: match) }
            group.addTask {
                try await self.waitForSilence(of: timeout)
                throw CommandFailure(
                    .temporaryFailure,
                    "nothing was sent: the broker does not say in time what cancelling would lose; "
                        + "try again, or give --yes"
                )
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func snapshot(of match: TaskMatch) async throws -> TaskSnapshot? {
        guard let part = match.part else {
            for try await update in updates(of: .id(match.task), depth: 0) { return update.task }
            return nil
        }
        var updates = viewport(ViewportSubscription([part])).makeAsyncIterator()
        while let picture = try await updates.next() {
            if let task = picture.changed.first(where: { $0.id == match.task }) { return task }
            if picture.connection == .live, !picture.isLoading { return nil }
        }
        return nil
    }
}

extension TaskMatch {
    /// The block of the board or of a parent's children that shows the task; `nil` if none does.
    fileprivate var part: ViewportPart? {
        guard let parent = path.last else {
            guard let slot, slot > 0 else { return nil }
            return .board(page: (slot - 1) / ViewportPart.slotsPerPage)
        }
        guard let place = places.last, place > 0 else { return nil }
        return .children(of: parent, block: (place - 1) / ViewportPart.placesPerBlock)
    }
}
