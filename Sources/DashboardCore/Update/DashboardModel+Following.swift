import ProgressBus
import TaskTree

/// What has to be followed to draw what is on the screen.
extension DashboardModel {
    /// Pages that a filter searches at most.
    private static let searchedPages = 64

    mutating func follow(_ actions: inout [DashboardAction]) {
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
        if view == .board { wantSearched(&parts) }
        for slot in alerts.values.compactMap(\.slot) { parts.insert(Self.page(of: slot)) }
        if pane != nil || layout.log.height > 0, let job = jobOfMessages {
            parts.insert(.messages(of: job))
        }
        if pane == .details, let row = selected.flatMap({ store.rows[$0] }), row.id == row.job {
            parts.insert(.hosts(of: row.job))
        }
        return parts
    }

    /// What the view has rows or cells for.
    var visibleParts: Set<ViewportPart> {
        var parts: Set<ViewportPart> = []
        switch view {
        case .board: wantBoard(&parts)
        case .ordered: parts.formUnion(allPages)
        case .job: wantJob(&parts)
        case .mosaic: wantMosaic(&parts)
        }
        return parts
    }

    /// Other pages of the board, for the matches there.
    private func wantSearched(_ parts: inout Set<ViewportPart>) {
        let isSearched = !filter.isEmpty || prompt.isFilter || dismissal?.isCounting == true
        if isSearched { parts.formUnion(allPages) }
    }

    /// All pages of the board, as far as it is searched.
    var allPages: Set<ViewportPart> {
        let pages = (max(store.highestSlot, 1) - 1) / ViewportPart.slotsPerPage
        return Set((0...min(pages, Self.searchedPages - 1)).map { .board(page: $0) })
    }

    private func wantBoard(_ parts: inout Set<ViewportPart>) {
        let slots = board.slots(bodyHeight: layout.body.height)
        for slot in slots { parts.insert(Self.page(of: slot)) }
        guard board.height > 1 else { return }
        for slot in slots {
            if let job = store.inSlot[slot] { parts.insert(.children(of: job, block: 0)) }
        }
    }

    private func wantJob(_ parts: inout Set<ViewportPart>) {
        guard let job else { return }
        if let slot = job.slot { parts.insert(Self.page(of: slot)) }
        for block in job.blocks {
            let first = (block.first - 1) / ViewportPart.placesPerBlock
            let last = (block.first + block.shown - 2) / ViewportPart.placesPerBlock
            for number in first...max(first, last) {
                parts.insert(.children(of: block.task, block: number))
            }
        }
    }

    private func wantMosaic(_ parts: inout Set<ViewportPart>) {
        guard let mosaic else { return }
        if let slot = mosaic.slot { parts.insert(Self.page(of: slot)) }
        let layout = MosaicLayout(layout.body)
        let first = mosaic.scroll * layout.perRow / ViewportPart.cellsPerBlock
        let cells = (mosaic.scroll + layout.rows) * layout.perRow
        for block in first...max(first, (cells - 1) / ViewportPart.cellsPerBlock) {
            parts.insert(.states(of: mosaic.job, block: block))
        }
    }

    static func page(of slot: Int) -> ViewportPart {
        .board(page: (max(slot, 1) - 1) / ViewportPart.slotsPerPage)
    }
}

extension Prompt? {
    var isFilter: Bool {
        if case .filter = self { true } else { false }
    }
}
