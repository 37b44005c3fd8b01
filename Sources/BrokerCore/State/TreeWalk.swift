import TaskTree

/// Walks the tasks of a job in the order in which viewers show its tree, or backwards.
///
/// Each task comes before those below it, and children come by place; the first task follows the
/// last one. The cost of a step does not depend on the number of children.
struct TreeWalk {
    private struct Level {
        let task: TaskID
        let children: ChildPlaces?
        /// The place of the child that the walk last went down to.
        var place: Int
    }

    private let job: TaskID
    private let children: [TaskID: ChildPlaces]
    private let backwards: Bool
    /// From the job down to the present task.
    private var line: [Level] = []

    /// Begins on a task at the end of these places below the job; before all tasks if the task is
    /// `nil` or not there.
    init(
        job: TaskID,
        children: [TaskID: ChildPlaces],
        backwards: Bool,
        on task: TaskID?,
        at places: [Int]
    ) {
        self.job = job
        self.children = children
        self.backwards = backwards
        guard let task else { return }
        enter(job)
        for place in places {
            guard let child = line[line.count - 1].children?.taskAt[place] else { break }
            line[line.count - 1].place = place
            enter(child)
        }
        if line.last?.task != task { line = [] }
    }

    mutating func next() -> TaskID {
        if backwards {
            // Backwards, all tasks below the present one have come before it.
            _ = line.popLast()
            if line.isEmpty { enter(job) }
        }
        while let level = line.last {
            if let place = level.children?.next(to: level.place, backwards: backwards),
                let child = level.children?.taskAt[place]
            {
                line[line.count - 1].place = place
                enter(child)
                if !backwards { return child }
            } else if backwards {
                return level.task
            } else {
                line.removeLast()
            }
        }
        enter(job)
        return job
    }

    private mutating func enter(_ task: TaskID) {
        line.append(Level(task: task, children: children[task], place: backwards ? .max : 0))
    }
}
