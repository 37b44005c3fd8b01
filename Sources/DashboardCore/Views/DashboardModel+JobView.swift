import CellScreen
import ProgressBus
import TaskTree

/// The tree of one job: row k of a block shows place k.
extension DashboardModel {
    func drawJob(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard let job, area.height > 0 else { return }
        let columns = RowColumns(width: area.width, hasNumber: false)
        let view = RowView(
            painter: painter,
            columns: columns,
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        let lines = job.lines
        for offset in 0..<area.height where job.scroll + offset < lines.count {
            let index = job.scroll + offset
            draw(
                lines[index],
                of: job,
                isSelected: index == job.cursor,
                view,
                area: area,
                row: area.row + offset,
                on: &grid
            )
        }
    }

    private func draw(
        _ line: JobState.Line,
        of job: JobState,
        isSelected: Bool,
        _ view: RowView,
        area: ScreenLayout.Area,
        row: Int,
        on grid: inout CellGrid
    ) {
        var look = RowView.Look(depth: line.depth)
        look.isSelected = isSelected
        if line.content == .rest {
            let text = restText(of: line, in: job)
            let indent = view.columns.title.start + min(line.depth * 2, area.width / 3)
            view.painter.put(
                text,
                .faint,
                column: area.column + indent,
                row: row,
                width: area.width - indent,
                on: &grid
            )
            view.drawBlank(look, column: area.column, row: row, on: &grid)
            return
        }
        let id = job.task(at: line, in: store)
        guard let task = store.row(id) ?? (line.content == .job ? job.last : nil),
            shows(task.id, at: line)
        else {
            view.drawBlank(look, column: area.column, row: row, on: &grid)
            return
        }
        look.isDimmed = !matches(task)
        look.hasParentEnded = line.content != .job && store.rows[line.parent]?.state.isEnded == true
        look.isAlerted = alerts[task.id] != nil
        look.askedSecondsAgo = askedSecondsAgo(task.id, at: view.painter.now)
        if line.content != .job, task.isParent || line.isUnfolded {
            let block = block(below: line, in: job)
            look.folding = block?.task == task.id ? .unfolded : .folded
        }
        view.draw(task, look, column: area.column, row: row, on: &grid)
    }

    private func block(below line: JobState.Line, in job: JobState) -> JobState.Block? {
        guard case .place(let place) = line.content else { return nil }
        return job.block(at: line.path)?.unfolded[place]
    }

    /// All tasks below the parent that have no row here.
    func rest(of line: JobState.Line, in job: JobState) -> StateCounts {
        guard let block = job.block(at: line.path), let parent = store.rows[block.task] else {
            return StateCounts()
        }
        var rest = parent.counts
        for place in block.places {
            guard let child = store.child(of: block.task, at: place) else { continue }
            rest.subtract(child)
        }
        return rest
    }

    /// "+ 12 more, 3 running, 1 failed".
    private func restText(of line: JobState.Line, in job: JobState) -> String {
        let rest = rest(of: line, in: job)
        guard rest.sum > 0 else { return "" }
        var parts = ["+ \(HumanNumbers.grouped(Int64(rest.sum))) more"]
        for (count, word) in [
            (rest.running, "running"), (rest.waiting, "waiting"), (rest.failed, "failed"),
            (rest.lost, "lost"), (rest.cancelled, "cancelled"), (rest.succeeded, "done"),
        ] where count > 0 {
            parts.append("\(HumanNumbers.grouped(Int64(count))) \(word)")
        }
        return parts.joined(separator: ", ")
    }
}

extension StateCounts {
    /// Takes a task and all that is below it out of the count.
    fileprivate mutating func subtract(_ row: TaskSnapshot) {
        waiting -= row.counts.waiting + (row.state == .waiting ? 1 : 0)
        let isRunning = [.running, .paused, .cancelling].contains(row.state)
        running -= row.counts.running + (isRunning ? 1 : 0)
        succeeded -= row.counts.succeeded + (row.state == .succeeded ? 1 : 0)
        failed -= row.counts.failed + (row.state == .failed ? 1 : 0)
        cancelled -= row.counts.cancelled + (row.state == .cancelled ? 1 : 0)
        lost -= row.counts.lost + (row.state == .lost ? 1 : 0)
        waiting = max(waiting, 0)
        running = max(running, 0)
        succeeded = max(succeeded, 0)
        failed = max(failed, 0)
        cancelled = max(cancelled, 0)
        lost = max(lost, 0)
    }
}
