public import Foundation
public import ProgressBus

/// Gives the mirror access to a `Progress` object: calls `look` once, before it returns, under the
/// lock or queue that guards the object.
///
/// ```swift
/// { look in lock.withLock { look() } }    // a lock
/// { look in queue.sync { look() } }       // a queue
/// ```
public typealias ProgressAccess = @Sendable (_ look: () -> Void) -> Void

extension BusClient {
    /// Reports a Foundation `Progress` object as a task, for as long as it is at work.
    ///
    /// All mirrors share one queue, on which the object is read ten times a second: Foundation
    /// outside of Apple's systems announces no changes. Advancing the object costs nothing extra.
    ///
    /// - Counts become the task's amounts; an indeterminate object has no total. An object of the
    ///   kind `.file` counts bytes, or files where its total is its number of files.
    /// - Nobody can list an object's children from outside, so the tree becomes one task. The
    ///   children's work shows in that task's amounts: in the object's own units if its total is
    ///   10,000 or more, else in ten-thousandths.
    /// - `isFinished` at two looks in a row is `succeed()`, `isCancelled` is `endCancelled()`,
    ///   `isPaused` is `pause()`. An object that is released unfinished is `fail(_:)`; one that had
    ///   nothing to do (0 of 0) has succeeded. The caller may end the task earlier, for instance
    ///   with the error of the work; then the mirror leaves the object alone.
    /// - A viewer may cancel and pause the task while the object is cancellable and pausable; the
    ///   mirror passes the request on to the object. Outside of Apple's systems neither is set by
    ///   default.
    ///
    /// **Without `access`** the mirror reads only what is safe to read while other threads change
    /// it: counts and flags. This has two limits outside of Apple's systems. The mirror does not
    /// see what unfinished children have done, so a parent moves only when a child finishes. And
    /// while a viewer cancels, pauses or resumes an object with children, no other thread may add
    /// or end a child. `access` removes both limits. The object's owner needs that guard anyway: if
    /// several threads advance a tree of `Progress` objects without one, Foundation itself counts
    /// wrong.
    ///
    /// The mirror repeats what Foundation gets wrong: fractions that are off or move back if many
    /// children have different totals, shares that are lost when a total is set after a child has
    /// begun. Where that matters, begin tasks of your own.
    ///
    /// Outside of Apple's systems the mirror holds the object until the task has ended or nobody
    /// else holds it; on them it holds the object weakly. Before `close(timeout:)`, call
    /// `settleMirrors()` or end the tasks. Without `access`, call this while no other thread
    /// changes the object's kind; with `access`, call it outside of the guard. Costs what beginning
    /// a task costs; a look costs what reading the object costs.
    ///
    /// - Parameters:
    ///   - progress: The object; it may be mirrored once.
    ///   - title: What is done. At most 200 bytes are sent.
    ///   - parent: The task it is a part of; `nil` makes it a job.
    ///   - share: How many of the parent's units it is worth; left out it is 1. Without a parent it
    ///     has no meaning.
    ///   - unit: What the object counts; `nil` takes what its kind says.
    ///   - options: What else the task says about itself.
    ///   - access: Gives the mirror access to the object; all other mirrors wait until it returns.
    /// - Returns: The task, running.
    @discardableResult
    public func mirror(
        _ progress: Progress,
        title: String,
        under parent: ProgressTask? = nil,
        share: Int? = nil,
        unit: ProgressUnit? = nil,
        options: TaskOptions = TaskOptions(),
        access: ProgressAccess? = nil
    ) -> ProgressTask {
        let task =
            if let parent {
                parent.beginChild(title, share: share, unit: unit ?? .items, options: options)
            } else {
                beginJob(title, unit: unit ?? .items, options: options)
            }
        let mirror = MirroredProgress(progress, task, MirrorMachine(unit: unit), access)
        // With `access`, the first look is on the queue: the caller may hold its guard after all.
        if access == nil { mirror.look(isFirst: true) }
        MirrorWatch.shared.add(mirror)
        return task
    }

    /// Looks at all mirrored objects of this client now, and ends the tasks of those that are
    /// finished or cancelled.
    ///
    /// Call it at the end of a program, which would not wait for the next look:
    ///
    /// ```swift
    /// bus.settleMirrors()
    /// await bus.close()
    /// ```
    ///
    /// Waits until the objects are read, some microseconds unless an `access` has to wait. Do not
    /// call it within an `access`.
    public func settleMirrors() {
        MirrorWatch.shared.settle(session)
    }
}
