import ProgressBus
import TaskTree

/// Keys in the tree of a job.
extension DashboardModel {
    mutating func moveInJob(_ direction: KeyAction.Direction) {
        guard var job else { return }
        let height = layout.body.height
        switch direction {
        case .up: moveCursor(of: &job, near: job.cursor - 1, by: -1)
        case .down: moveCursor(of: &job, near: job.cursor + 1, by: 1)
        case .pageUp: page(&job, by: -1, height: height)
        case .pageDown: page(&job, by: 1, height: height)
        case .first: moveCursor(of: &job, near: 0, by: 1)
        case .last: moveCursor(of: &job, near: .max, by: -1)
        case .left: fold(&job)
        case .right: unfold(&job)
        }
        self.job = job
    }

    private func moveCursor(of job: inout JobState, near index: Int, by direction: Int) {
        let stops = Set(stops(in: job))
        let lines = 0...job.lines.count - 1
        let stop = Self.nearestStop(to: index, by: direction, in: lines, stops.contains)
        job.moveCursor(to: stop ?? 0, store: store, bodyHeight: layout.body.height)
    }

    /// Enter: shows what is below the task of the cursor, or hides it; what has nothing below it
    /// shows its details.
    mutating func chooseInJob(at now: Moment) {
        guard var job, let line = job.line, line.content != .job else { return }
        if line.content == .rest {
            job.turnPage(by: 1, store: store)
        } else if isParent(line, in: job) {
            job.toggleUnfolding(store: store, bodyHeight: layout.body.height)
        } else {
            if job.task(at: line, in: store) != nil { toggle(.details, at: now) }
            return
        }
        self.job = job
    }

    /// Shows what is below, or goes there.
    private func unfold(_ job: inout JobState) {
        let height = layout.body.height
        guard let line = job.line else { return }
        if line.isUnfolded {
            moveCursor(of: &job, near: job.cursor + 1, by: 1)
        } else if line.content != .rest, isParent(line, in: job) {
            job.toggleUnfolding(store: store, bodyHeight: height)
        }
    }

    private func isParent(_ line: JobState.Line, in job: JobState) -> Bool {
        line.isUnfolded || store.row(job.task(at: line, in: store))?.isParent == true
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
        let stops = stops(in: job).filter { $0 > 0 }
        let isAtEnd =
            direction > 0
            ? job.cursor >= stops.last ?? 0 : job.cursor <= stops.first ?? 0
        if isAtEnd, job.line.map({ $0.path.isEmpty }) == true, job.cursor > 0 {
            job.turnPage(by: direction, store: store)
        } else {
            let index = job.cursor + direction * max(height - 1, 1)
            moveCursor(of: &job, near: index, by: direction)
        }
    }
}
