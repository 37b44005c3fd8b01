import TaskTree

/// The part in which something is that the screen has a place for.
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
