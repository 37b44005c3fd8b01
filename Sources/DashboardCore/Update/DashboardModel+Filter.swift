import ProgressBus
import TaskTree

/// Filters: a filter hides the rows that do not match it, and the others stay where they are.
///
/// Each view has its own filter, as the tasks below a job have other names than the job.
extension DashboardModel {
    /// The filter that was set in this view; empty for none.
    var filter: String {
        get {
            switch view {
            case .board: board.filter
            case .ordered: ordered?.filter ?? ""
            case .job: job?.filter ?? ""
            case .mosaic: mosaic?.filter ?? ""
            }
        }
        set {
            switch view {
            case .board: board.filter = newValue
            case .ordered: ordered?.filter = newValue
            case .job: job?.filter = newValue
            case .mosaic: mosaic?.filter = newValue
            }
        }
    }

    /// The filter as it is typed, or as it was set.
    var activeFilter: String {
        if case .filter(let text) = prompt { text } else { filter }
    }

    func matches(_ row: TaskSnapshot) -> Bool {
        activeFilter.isEmpty || TaskFilter(activeFilter).matches(row)
    }

    func matches(_ task: TaskID) -> Bool { store.matches(task, TaskFilter(activeFilter)) }

    func matches(_ cell: MosaicCell) -> Bool { TaskFilter(activeFilter).matches(cell) }

    /// Whether the filter shows the slot of a job: the job or a child in a line of the slot
    /// matches.
    func shows(_ job: TaskID) -> Bool {
        activeFilter.isEmpty || shows(job, TaskFilter(activeFilter))
    }

    private func shows(_ job: TaskID, _ filter: TaskFilter) -> Bool {
        let tasks = [job] + (board.lines[job] ?? []).compactMap { $0 }
        return tasks.contains { store.matches($0, filter) }
    }

    /// Whether the filter shows a line of the tree: the line of the job always, and another one if
    /// its task or a task unfolded below it matches.
    func shows(_ task: TaskID, at line: JobState.Line) -> Bool {
        if line.content == .job || matches(task) { return true }
        return job?.block(below: line).map(hasMatch) ?? false
    }

    private func hasMatch(in block: JobState.Block) -> Bool {
        block.places.contains { place in
            guard let task = store.atPlace[block.task]?[place] else { return false }
            return matches(task) || block.unfolded[place].map(hasMatch) ?? false
        }
    }

    /// Whether the filter hides the task of the cursor.
    var isSelectedHidden: Bool {
        selected != nil && view != .mosaic && !activeFilter.isEmpty && !isStop(cursor)
    }

    /// How many tasks match, as far as the view has rows or cells for them.
    var hits: Int {
        switch view {
        case .board: return store.inSlot.values.count(where: matches)
        case .ordered, .job: return places(matching: TaskFilter(activeFilter)).count
        case .mosaic:
            let filter = TaskFilter(activeFilter)
            return store.states.reduce(0) { count, entry in
                guard case .states(mosaic?.job, _) = entry.key else { return count }
                return count + entry.value.count { MosaicCell($0).map(filter.matches) ?? false }
            }
        }
    }

    /// How many tasks of the board or of the open job need attention, if the filter is one of
    /// trouble.
    var troubled: Int {
        guard TaskFilter(activeFilter).isOfTrouble else { return 0 }
        switch view {
        case .board, .ordered: return store.inSlot.values.reduce(0) { $0 + troubled(in: $1) }
        case .job: return job.map { troubled(in: $0.job) } ?? 0
        case .mosaic: return 0
        }
    }

    func troubled(in task: TaskID) -> Int { store.rows[task]?.troubled ?? 0 }

    /// The words for where the filter searches, or for the key that searches further; `nil` if it
    /// searches everywhere.
    var searched: String? {
        switch view {
        case .board, .ordered:
            let slots = Self.searchedPages * ViewportPart.slotsPerPage
            return store.highestSlot > slots
                ? " in slots 1 to \(HumanNumbers.grouped(slots))" : nil
        case .job:
            guard let job else { return nil }
            // Said here too, as the narrowest footers offer no key.
            if hasFoldedTask { return "; E unfolds more" }
            let hasRest = job.lines.contains {
                $0.content == .rest && job.rest(of: $0, in: store).sum > 0
            }
            return hasRest ? " in what is unfolded" : nil
        case .mosaic:
            let blocks = store.states.keys.compactMap { part in
                if case .states(mosaic?.job, let block) = part { block } else { nil }
            }
            guard let first = blocks.min(), let last = blocks.max() else { return nil }
            let cells = (
                first * ViewportPart.cellsPerBlock + 1, (last + 1) * ViewportPart.cellsPerBlock
            )
            guard cells.0 > 1 || cells.1 < lastCell else { return nil }
            return " in cells \(HumanNumbers.grouped(cells.0)) to \(HumanNumbers.grouped(cells.1))"
        }
    }

    /// Whether a task in the tree that is open can be unfolded.
    var hasFoldedTask: Bool {
        guard let job else { return false }
        return job.lines.contains { line in
            guard case .place = line.content, !line.isUnfolded else { return false }
            return job.row(at: line, in: store).map { $0.counts.sum > 0 } ?? false
        }
    }

    /// How many jobs on other pages than the one shown match.
    var matchesElsewhere: Int {
        let slots = board.slots(bodyHeight: layout.body.height)
        return store.inSlot.count { slot, job in !slots.contains(slot) && matches(job) }
    }

    /// Sets the filter that was typed, and moves the cursor to a match unless it is on one.
    mutating func setFilter(_ text: String) {
        filter = text.split(separator: " ").joined(separator: " ")
        guard !filter.isEmpty else { return }
        if view == .mosaic, !TaskFilter(filter).isOfStates {
            say(Self.wordsForNames)
        } else if selected.map(matches) != true, view != .job || hits > 0 {
            jumpToMatch(by: 1)
        }
        if view == .job { searchJob() }
    }

    /// The places of the view that match a filter.
    func places(matching filter: TaskFilter) -> [Int] {
        switch view {
        case .board: return store.inSlot.filter { shows($0.value, filter) }.keys.sorted()
        case .ordered:
            let rows = ordered?.rows ?? []
            return rows.indices.filter { store.matches(rows[$0], filter) }
        case .job:
            guard let job else { return [] }
            let lines = job.lines
            return lines.indices.filter {
                job.row(at: lines[$0], in: store).map(filter.matches) ?? false
            }
        case .mosaic:
            guard let mosaic else { return [] }
            return (1...lastCell).filter { cell in
                MosaicCell(store.byte(ofCell: cell, in: mosaic.job)).map(filter.matches) ?? false
            }
        }
    }
}

extension TaskStore {
    /// Whether a task is here and matches.
    fileprivate func matches(_ task: TaskID, _ filter: TaskFilter) -> Bool {
        rows[task].map(filter.matches) ?? false
    }
}
