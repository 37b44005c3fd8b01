import ProgressBus
import TaskTree

/// Keys in the tree of a job.
extension DashboardModel {
    mutating func pressInJob(_ key: Key, at now: Moment) {
        guard var job else { return }
        let height = layout.body.height
        switch key {
        case .up, .character("k"):
            job.moveCursor(to: job.cursor - 1, store: store, bodyHeight: height)
        case .down, .character("j"):
            job.moveCursor(to: job.cursor + 1, store: store, bodyHeight: height)
        case .pageUp: page(&job, by: -1, height: height)
        case .pageDown: page(&job, by: 1, height: height)
        case .home: job.moveCursor(to: 0, store: store, bodyHeight: height)
        case .end: job.moveCursor(to: job.lines.count - 1, store: store, bodyHeight: height)
        case .enter, .right: unfold(&job, key, at: now)
        case .left: fold(&job)
        case .escape:
            guard !filter.isEmpty else {
                self.job = nil
                bind()
                return
            }
            filter = ""
        default: break
        }
        self.job = job
    }

    private mutating func unfold(_ job: inout JobState, _ key: Key, at now: Moment) {
        let height = layout.body.height
        guard let line = job.line else { return }
        if line.content == .rest {
            job.turnPage(by: 1, store: store)
        } else if line.isUnfolded, key == .right {
            job.moveCursor(to: job.cursor + 1, store: store, bodyHeight: height)
        } else if let row = store.row(job.task(at: line, in: store)), !row.isParent,
            !line.isUnfolded
        {
            note = Note("\"\(row.title)\" has no tasks below it; Tab shows its details", at: now)
        } else {
            job.toggleUnfolding(store: store, bodyHeight: height)
        }
    }

    /// Folds what is unfolded at the cursor, or goes to the row of the parent.
    private func fold(_ job: inout JobState) {
        let height = layout.body.height
        guard let line = job.line, line.content != .job else { return }
        if line.isUnfolded {
            job.toggleUnfolding(store: store, bodyHeight: height)
            return
        }
        let parent = job.lines.firstIndex { other in
            guard let place = line.path.last else { return other.content == .job }
            return other.path == line.path.dropLast() && other.content == .place(place)
        }
        job.moveCursor(to: parent ?? 0, store: store, bodyHeight: height)
    }

    /// A screenful of lines; at the ends of a block that goes on, its next places.
    private func page(_ job: inout JobState, by direction: Int, height: Int) {
        let last = job.lines.count - 1
        let isAtEnd = direction > 0 ? job.cursor >= last : job.cursor <= 1
        if isAtEnd, job.line.map({ $0.path.isEmpty }) == true, job.cursor > 0 {
            job.turnPage(by: direction, store: store)
        } else {
            let index = job.cursor + direction * max(height - 1, 1)
            job.moveCursor(to: index, store: store, bodyHeight: height)
        }
    }
}
