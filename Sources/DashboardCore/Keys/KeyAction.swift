/// What a key does; which keys do it in which view is said by `KeyTable` alone.
enum KeyAction: Hashable, Sendable {
    enum Direction: Hashable, Sendable {
        case up, down, left, right
        case pageUp, pageDown, first, last

        /// Where it leads from a place, however far that is, and in which direction that is.
        func step(from place: Int, row: Int = 1, page: Int) -> (to: Int, by: Int) {
            switch self {
            case .up: (place - row, -1)
            case .down: (place + row, 1)
            case .left: (place - 1, -1)
            case .right: (place + 1, 1)
            case .pageUp: (place - page, -1)
            case .pageDown: (place + page, 1)
            case .first: (.min, 1)
            case .last: (.max, -1)
            }
        }
    }

    case move(Direction)
    /// What Enter does: opens, shows, decides.
    case choose
    /// One step back.
    case back
    case quit

    case help, details, messages, mosaic
    case cancel, pauseOrResume, dismiss, dismissAll
    case filter, next, previous
    /// The digit that was pressed is the first of a slot's number.
    case slot
    case lower, higher
    /// What is below all tasks of a job is shown, or hidden.
    case unfoldAll, foldAll
    /// A copy of the board in another order, and then in the next.
    case order
    /// The end of a job is told.
    case alert
    case copy, copyLink
    case scrollUp, scrollDown
    case refit, freeze, refresh, background

    /// The character that was pressed belongs to what is being typed.
    case type
    case erase
}

/// What is in front: the one thing that keys go to.
enum KeyContext: Hashable, Sendable, CaseIterable {
    case board, ordered, job, mosaic
    case help, dialog, slotLine, filterLine
}
