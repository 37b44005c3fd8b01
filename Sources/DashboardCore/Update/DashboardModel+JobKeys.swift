import ProgressBus
import TaskTree

/// Keys in the tree of a job.
extension DashboardModel {
    mutating func moveInJob(_ direction: KeyAction.Direction) {
        switch direction {
        case .up, .down, .first, .last: moveCursor(direction)
        case .pageUp: page(direction, by: -1)
        case .pageDown: page(direction, by: 1)
        case .left: fold()
        case .right: unfold()
        }
    }

    /// Enter: shows what is below the task of the cursor, or hides it; what has nothing below it
    /// shows its details.
    mutating func chooseInJob() {
        guard let job, let line = job.line, line.content != .job else { return }
        if line.content == .rest {
            self.job?.turnPage(by: 1, store: store)
        } else if isParent(line, in: job) {
            toggleUnfolding()
        } else if job.task(at: line, in: store) != nil {
            toggle(.details)
        }
    }

    private mutating func toggleUnfolding() {
        inTree { $0.toggleUnfolding(store: $1, bodyHeight: $2) }
    }

    /// Shows what is below, or goes there.
    private mutating func unfold() {
        guard let job, let line = job.line else { return }
        if line.isUnfolded {
            moveCursor(near: job.cursor + 1, by: 1)
        } else if line.content != .rest, isParent(line, in: job) {
            toggleUnfolding()
        }
    }

    private func isParent(_ line: JobState.Line, in job: JobState) -> Bool {
        line.isUnfolded || store.row(job.task(at: line, in: store))?.isParent == true
    }

    /// Folds what is unfolded at the cursor, or goes to the row of the parent.
    private mutating func fold() {
        guard let job, let line = job.line, line.content != .job else { return }
        guard !line.isUnfolded else { return toggleUnfolding() }
        let parent = job.lines.firstIndex { other in
            guard let place = line.path.last else { return other.content == .job }
            return other.path == line.path.dropLast() && other.content == .place(place)
        }
        moveCursor(to: parent ?? 0)
    }

    /// A screenful of lines; at the ends of a block that goes on, its next places.
    private mutating func page(_ direction: KeyAction.Direction, by step: Int) {
        guard let job else { return }
        let stops = job.lines.indices.dropFirst().filter(isStop)
        let isAtEnd =
            step > 0 ? job.cursor >= stops.last ?? 0 : job.cursor <= stops.first ?? 0
        if isAtEnd, job.line?.path.isEmpty == true, job.cursor > 0 {
            self.job?.turnPage(by: step, store: store)
        } else {
            moveCursor(direction)
        }
    }
}
