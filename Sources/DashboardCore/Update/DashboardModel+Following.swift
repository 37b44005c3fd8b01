import ProgressBus
import TaskTree

/// The parts of the bus that the dashboard follows to draw the screen.
extension DashboardModel {
    /// The most pages of the board that are searched.
    static let searchedPages = 64

    mutating func follow() {
        // A frozen picture shows no more than what was followed when it was frozen.
        guard frozen == nil else { return }
        let wanted = wantedParts
        guard wanted != followed else { return }
        let dropped = followed.subtracting(wanted)
        followed = wanted
        if !dropped.isEmpty { store.keep(only: wanted) }
        actions.append(.follow(wanted))
    }

    private var wantedParts: Set<ViewportPart> {
        var parts = visibleParts
        var isSearched = !filter.isEmpty || dismissal?.isCounting == true || seeking != nil
        if case .filter = prompt { isSearched = true }
        if view == .board, isSearched { parts.formUnion(allPages) }
        parts.formUnion(alerts.values.compactMap(\.slot).map(ViewportPart.holding(slot:)))
        if pane.content != nil || layout.log.height > 0, let job = jobOfMessages {
            parts.insert(.messages(of: job))
        }
        if pane.content == .details, let row = selected.flatMap({ store.rows[$0] }),
            row.id == row.job
        {
            parts.insert(.hosts(of: row.job))
        }
        return parts
    }

    /// The parts that the view has rows or cells for.
    var visibleParts: Set<ViewportPart> {
        switch view {
        case .board: boardParts
        case .ordered: allPages
        case .job: jobParts
        case .mosaic: mosaicParts
        }
    }

    /// All pages of the board, as far as it is searched.
    var allPages: Set<ViewportPart> {
        let pages = (max(store.highestSlot, 1) - 1) / ViewportPart.slotsPerPage
        return Set((0...min(pages, Self.searchedPages - 1)).map { .board(page: $0) })
    }

    private var boardParts: Set<ViewportPart> {
        let slots = board.slots(bodyHeight: layout.body.height)
        let pages = slots.map(ViewportPart.holding(slot:))
        let jobs = board.height > 1 ? slots.compactMap { store.inSlot[$0] } : []
        return Set(pages + jobs.map { .children(of: $0, block: 0) })
    }

    private var jobParts: Set<ViewportPart> {
        guard let job else { return [] }
        var parts = Set(job.slot.map { [ViewportPart.holding(slot: $0)] } ?? [])
        for block in job.blocks {
            parts.formUnion(block.places.map { .holding(childOf: block.task, at: $0) })
        }
        return parts
    }

    private var mosaicParts: Set<ViewportPart> {
        guard let mosaic else { return [] }
        var parts = Set(mosaic.slot.map { [ViewportPart.holding(slot: $0)] } ?? [])
        let layout = MosaicLayout(layout.body)
        let first = mosaic.scroll * layout.perRow / ViewportPart.cellsPerBlock
        let cells = (mosaic.scroll + layout.rows) * layout.perRow
        for block in first...max(first, (cells - 1) / ViewportPart.cellsPerBlock) {
            parts.insert(.states(of: mosaic.job, block: block))
        }
        return parts
    }
}

/// The part that holds a slot, a child or a cell.
extension ViewportPart {
    static func holding(slot: Int) -> ViewportPart {
        .board(page: (max(slot, 1) - 1) / slotsPerPage)
    }

    static func holding(childOf parent: TaskID, at place: Int) -> ViewportPart {
        .children(of: parent, block: (max(place, 1) - 1) / placesPerBlock)
    }

    static func holding(cellOf job: TaskID, at cell: Int) -> ViewportPart {
        .states(of: job, block: (max(cell, 1) - 1) / cellsPerBlock)
    }
}
