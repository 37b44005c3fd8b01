import TaskTree

/// Goes from one task of a job to the next in the order in which its tree shows them, each before those
/// below it, children by place, and from the last one to the first; or backwards.
///
/// A step costs the same however many children there are, and what is to come is not looked at.
struct TreeWalk {
    private struct Level {
        let task: TaskID
        let children: ChildPlaces?
        /// The place of the child that was gone down to last.
        var place: Int
    }

    private let job: TaskID
    private let children: [TaskID: ChildPlaces]
    private let backwards: Bool
    /// From the job down to the present task.
    private var line: [Level] = []

    /// Stands on a task at the end of these places below the job; if it is not there, or none is named,
    /// before all of them.
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
            // All that is below the present task has been before it.
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
