import ProgressBus
import TaskTree

/// Tells below which tasks, one of ours and its children, others report.
///
/// Nobody tells a parent of children that other sessions begin, so they are looked for as by any
/// viewer: only where a command's output was understood.
struct ReportWatch: Sendable {
    let configuration: BusConfiguration
    let own: TaskID
    /// Whose task ours is, if it was given to us.
    let ticket: TaskID?
    let mailbox: RunMailbox

    /// Returns at once; ends with the task.
    func start() {
        Task {
            let follower = BusFollower(configuration)
            defer { follower.close() }
            // A ticket's task has the ticket's name, unless somebody else holds it.
            var names = [own] + [ticket].compactMap { $0 }
            while let name = names.first {
                do {
                    return try await watch(follower.updates(of: .id(name), depth: 2))
                } catch {
                    // Not known yet, or not any more, as with another broker.
                    try await Task.sleep(for: .milliseconds(200))
                    names = names.dropFirst() + [name]
                }
            }
        }
    }

    /// Says once whether others report right below a task of ours; returns at once.
    ///
    /// Without an answer they may: what was asked to stop is not shown as a success.
    func look(below task: TaskID) {
        Task {
            let follower = BusFollower(configuration)
            defer { follower.close() }
            var isHeard = true
            for name in [task] + [ticket].compactMap({ task == own ? $0 : nil }) {
                guard let known = try? await follower.status(of: .id(name), depth: 1) else {
                    continue
                }
                isHeard =
                    known.childrenLeftOut > 0
                    || known.children.contains {
                        $0.id.session != own.session && $0.state != .succeeded
                    }
                break
            }
            mailbox.put(.heard(isHeard, of: task))
        }
    }

    private func watch(_ updates: FollowSequence<TaskUpdate>) async throws {
        var told: Set<TaskID> = []
        for try await update in updates {
            for parent in [update.task] + update.task.children
            where parent.children.contains(where: { $0.id.session != own.session }) {
                if told.insert(parent.id).inserted { mailbox.put(.reported(below: parent.id)) }
            }
        }
    }
}
