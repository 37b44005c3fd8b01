import ProgressBus
import TaskTree

/// The tree of one job: row k of a block shows place k.
extension DashboardModel {
    func drawJob(_ layout: ScreenLayout, _ painter: inout Painter) {
        let area = layout.body
        guard let job, area.height > 0 else { return }
        let view = drawHeads("TASK", hasNumber: false, layout, &painter)
        let lines = job.lines
        for index in lines.indices.dropFirst(job.scroll).prefix(area.height) {
            let row = area.row + index - job.scroll
            draw(lines[index], of: job, isSelected: index == job.cursor, view, row: row, &painter)
        }
        guard job.scroll == 0, area.height > 1, store.atPlace[job.job] == nil,
            store.members[.children(of: job.job, block: 0)] != nil,
            store.rows[job.job]?.isParent == false
        else { return }
        let words = "nothing is below it" + (pane.content == nil ? "; Tab shows its details" : "")
        painter.put(words, .faint, area.field.dropping(view.columns.title.start), row: area.row + 1)
    }

    private func draw(
        _ line: JobState.Line,
        of job: JobState,
        isSelected: Bool,
        _ view: RowView,
        row: Int,
        _ painter: inout Painter
    ) {
        var blank = RowView.Look(isSelected: isSelected)
        if line.content == .rest {
            let width = view.columns.width
            let indent = view.columns.title.start + min(line.depth * 2, width / 3)
            let field = Field(start: indent, width: width - indent)
            painter.put(restText(of: line, in: job), .faint, field, row: row)
            return view.drawBlank(blank, row: row, &painter)
        }
        let isJob = line.content == .job
        let id = job.task(at: line, in: store)
        guard let task = store.row(id) ?? (isJob ? job.last : nil), shows(task.id, at: line) else {
            if id == nil, case .place(let number) = line.content,
                let expected = store.rows[line.parent]?.options.expectedChildren
            {
                blank.isReserved = number <= expected
            }
            return view.drawBlank(blank, row: row, &painter)
        }
        var look = look(of: task, in: isJob ? nil : store.rows[line.parent], at: painter.now)
        look.depth = line.depth
        look.isSelected = isSelected
        look.saysCounts = true
        if !isJob, task.isParent || line.isUnfolded {
            look.folding = job.block(below: line)?.task == task.id ? .unfolded : .folded
        }
        if !isJob, task.state.isEnded, let whole = store.rows[job.job] ?? job.last {
            look.span = RunSpan(of: task, in: whole, at: painter.now)
        }
        view.draw(task, look, row: row, &painter)
    }

    /// "+ 12 more, 3 running, 1 failed": all tasks below the parent that have no row here.
    private func restText(of line: JobState.Line, in job: JobState) -> String {
        let rest = job.rest(of: line, in: store)
        guard rest.sum > 0 else { return "" }
        let counts = HumanNumbers.counted([
            (rest.running, .running), (rest.waiting, .waiting), (rest.failed, .failed),
            (rest.lost, .lost), (rest.cancelled, .cancelled), (rest.succeeded, .succeeded),
        ])
        let words = ["+ \(HumanNumbers.grouped(rest.sum)) more"] + counts
        return words.joined(separator: ", ")
            + (job.hasPages(of: line, in: store) ? "" : ", not listed")
    }
}
