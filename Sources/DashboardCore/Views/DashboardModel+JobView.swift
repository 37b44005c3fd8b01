import CellScreen
import ProgressBus
import TaskTree

/// The tree of one job: row k of a block shows place k.
extension DashboardModel {
    func drawJob(_ layout: ScreenLayout, _ painter: Painter, on grid: inout CellGrid) {
        let area = layout.body
        guard let job, area.height > 0 else { return }
        let view = RowView(
            painter: painter,
            columns: RowColumns(width: area.width, hasNumber: false),
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        if layout.heads.height > 0 {
            view.drawHeads(
                "TASK",
                at: .init(column: layout.heads.column, row: layout.heads.row),
                on: &grid
            )
        }
        let lines = job.lines
        for offset in 0..<area.height where job.scroll + offset < lines.count {
            let index = job.scroll + offset
            draw(
                lines[index],
                of: job,
                isSelected: index == job.cursor,
                view,
                at: .init(column: area.column, row: area.row + offset),
                on: &grid
            )
        }
    }

    private func draw(
        _ line: JobState.Line,
        of job: JobState,
        isSelected: Bool,
        _ view: RowView,
        at place: RowView.Place,
        on grid: inout CellGrid
    ) {
        var look = RowView.Look(depth: line.depth)
        look.isSelected = isSelected
        if line.content == .rest {
            let width = view.columns.width
            let indent = view.columns.title.start + min(line.depth * 2, width / 3)
            let field = RowColumns.Field(start: indent, width: width - indent)
            view.put(restText(of: line, in: job), .faint, field, .leading, place, &grid)
            view.drawBlank(look, at: place, on: &grid)
            return
        }
        let id = job.task(at: line, in: store)
        guard let task = store.row(id) ?? (line.content == .job ? job.last : nil),
            shows(task.id, at: line)
        else {
            if id == nil, case .place(let number) = line.content,
                let expected = store.rows[line.parent]?.options.expectedChildren
            {
                look.isReserved = number <= expected
            }
            view.drawBlank(look, at: place, on: &grid)
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
        look.trend = store.trends[task.id]
        look.saysCounts = true
        if line.content != .job, let whole = store.row(job.job) ?? job.last {
            look.span = RunSpan(of: task, in: whole, at: view.painter.now)
        }
        view.draw(task, look, at: place, on: &grid)
    }

    private func block(below line: JobState.Line, in job: JobState) -> JobState.Block? {
        guard case .place(let place) = line.content else { return nil }
        return job.block(at: line.path)?.unfolded[place]
    }

    /// "+ 12 more, 3 running, 1 failed": all tasks below the parent that have no row here.
    private func restText(of line: JobState.Line, in job: JobState) -> String {
        let rest = job.rest(of: line, in: store)
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
