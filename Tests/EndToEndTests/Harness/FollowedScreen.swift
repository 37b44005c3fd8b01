import ProgressBus
import Synchronization
import TaskTree

/// What a viewer knows that follows some parts: values put together as they come.
final class FollowedScreen: Sendable {
    struct Content {
        var connection = Board.Connection.connecting
        var broker: Board.Broker?
        var isLoading = true
        var members: [ViewportPart: [TaskID]] = [:]
        var tasks: [TaskID: TaskSnapshot] = [:]
        var left: [Board.Departure] = []
        var states: [ViewportPart: [UInt8]] = [:]
        var hosts: [TaskID: JobHosts] = [:]
        var messages: [TaskMessage] = []
        /// Values that were delivered, and those that changed something without a connection.
        var values = 0
        var changesWithoutConnection = 0
        /// Values in which a task shows less than it did in the same attempt.
        var stepsBack = 0

        /// What of it is there, for a failure.
        var summary: String {
            """
            \(connection), \(isLoading ? "loading" : "whole"), \(values) values; \
            rows \(members.mapValues(\.count)), cells \(states.mapValues(\.count)), \
            hosts \(hosts.values.map { $0.hosts.count }), messages \(messages.map(\.text))
            """
        }
    }

    let wish: ViewportSubscription
    private let follower: BusFollower
    private let state = Mutex(Content())

    /// Begins to follow; ends with `close`.
    init(_ follower: BusFollower, _ parts: Set<ViewportPart>) {
        self.follower = follower
        wish = ViewportSubscription(parts)
        let pictures = follower.viewport(wish)
        Task { [weak self] in
            for try await picture in pictures {
                guard let self else { return }
                take(picture)
            }
        }
    }

    var content: Content { state.withLock { $0 } }

    /// Bytes of updates that came over the socket so far.
    var bytes: Int { follower.receivedUpdateBytes }

    func close() { follower.close() }

    /// The tasks of a part in the order in which they are shown.
    func tasks(in part: ViewportPart) -> [TaskSnapshot] {
        let content = content
        return (content.members[part] ?? []).compactMap { content.tasks[$0] }
    }

    /// Wants other parts and forgets the former ones, as a viewer that scrolls.
    func show(_ parts: Set<ViewportPart>) {
        state.withLock { state in
            state.members = state.members.filter { parts.contains($0.key) }
            state.states = state.states.filter { parts.contains($0.key) }
        }
        wish.show(parts)
    }

    private func take(_ picture: ViewportUpdate) {
        state.withLock { state in
            state.values += 1
            state.connection = picture.connection
            state.broker = picture.broker
            state.isLoading = picture.isLoading
            let isChanged = !picture.changed.isEmpty || !picture.members.isEmpty
            if isChanged, picture.connection != .live { state.changesWithoutConnection += 1 }
            state.members.merge(picture.members) { $1 }
            for task in picture.changed {
                if let known = state.tasks[task.id], known.attempt == task.attempt,
                    known.displayFraction > task.displayFraction
                {
                    state.stepsBack += 1
                }
                state.tasks[task.id] = task
            }
            state.left += picture.left
            state.states.merge(picture.states) { $1 }
            state.hosts.merge(picture.hosts) { $1 }
            state.messages += picture.messages
        }
    }
}
