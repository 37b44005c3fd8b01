public import Foundation
public import ProgressBus

/// Lets the mirror at a `Progress` object: calls the closure once, at once, and under whatever guards
/// the object.
///
/// ```swift
/// { look in lock.withLock { look() } }    // a lock
/// { look in queue.sync { look() } }       // a queue
/// ```
public typealias ProgressAccess = @Sendable (_ look: () -> Void) -> Void

extension BusClient {
    /// Reports a Foundation `Progress` object as a task, for as long as it is at work.
    ///
    /// The object is looked at ten times a second, on a queue that all mirrors share: Foundation
    /// outside of Apple's systems announces no changes. Whoever advances the object pays nothing.
    ///
    /// - Counts become the task's amounts; an indeterminate object has no total. An object of the
    ///   kind `.file` counts bytes, or files where its total is its number of files.
    /// - Children cannot be listed from outside, so the tree becomes one task. What they have done
    ///   shows in its fraction: in the object's own units where it has 10,000 or more of them, else
    ///   in ten-thousandths.
    /// - `isFinished` at two looks in a row is `succeed()`, `isCancelled` is `endCancelled()`,
    ///   `isPaused` is `pause()`. An object that is released unfinished is `fail(_:)`; one that had
    ///   nothing to do (0 of 0) has succeeded. The caller may end the task earlier, for instance with
    ///   the error of the work: the object is left alone from then on.
    /// - A viewer may cancel and pause the task while the object is cancellable and pausable, and the
    ///   object is asked to. Outside of Apple's systems neither is set by default.
    ///
    /// **Without `access`** only what can be read safely while other threads change it is read:
    /// counts and flags. Outside of Apple's systems that leaves out what unfinished children have
    /// done, so a parent moves as its children finish; and `cancel`, `pause` and `resume` of an
    /// object with children must not meet a child that comes or ends in another thread. With
    /// `access` there is none of this, and the object's owner needs that guard anyway: a tree of
    /// `Progress` objects that several threads advance without one is counted wrong by Foundation
    /// itself.
    ///
    /// What Foundation gets wrong is mirrored as it is: fractions that are off or move back where
    /// many children have different totals, shares that are lost when a total is set after a child
    /// has begun. Where that matters, begin tasks of your own.
    ///
    /// Holds the object until the task has ended or nobody else holds it. Before `close(timeout:)`,
    /// call `settleMirrors()` or end the tasks. Call it while no other thread changes the object's
    /// kind, or with `access`, and then outside of what guards it. Costs what beginning a task
    /// costs; a look costs what reading the object costs.
    ///
    /// - Parameters:
    ///   - progress: The object; it may be mirrored once.
    ///   - title: What is done. At most 200 bytes are sent.
    ///   - parent: The task it is a part of; `nil` makes it a job.
    ///   - share: How many of the parent's units it is worth; left out it is 1. Without a parent it
    ///     has no meaning.
    ///   - unit: What the object counts; `nil` takes what its kind says.
    ///   - options: What else the task says about itself.
    ///   - access: Lets the mirror at the object; all other mirrors wait meanwhile.
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
        // With a guard the first look is on the queue: the caller may be within it in spite of all.
        if access == nil { mirror.look(isFirst: true) }
        MirrorWatch.shared.add(mirror)
        return task
    }

    /// Looks at all mirrored objects of this client now, and ends the tasks of those that are
    /// finished or cancelled.
    ///
    /// For the end of a program, which would not wait for the next look:
    ///
    /// ```swift
    /// bus.settleMirrors()
    /// await bus.close()
    /// ```
    ///
    /// Waits for the looks, some microseconds unless an `access` makes them wait; not to be called
    /// within one.
    public func settleMirrors() {
        MirrorWatch.shared.settle(session)
    }
}
