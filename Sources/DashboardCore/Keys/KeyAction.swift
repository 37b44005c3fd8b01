/// A named action of keys; only `KeyTable` decides which keys do it in which view.
struct KeyAction: Sendable {
    let name: String
    let act: @Sendable (inout DashboardModel, Key) -> Void

    /// An action that is the same for each key that it has.
    private init(_ name: String, _ act: @escaping @Sendable (inout DashboardModel) -> Void) {
        self.init(name) { model, _ in act(&model) }
    }

    /// An action that uses the key that was pressed.
    private init(
        _ name: String,
        ofKey act: @escaping @Sendable (inout DashboardModel, Key) -> Void
    ) {
        (self.name, self.act) = (name, act)
    }

    enum Direction: Sendable {
        case up, down, left, right
        case pageUp, pageDown, first, last

        /// The place that the direction leads to, which may be out of range, and the direction in
        /// which to look for a stop from there.
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
}

extension KeyAction: Equatable {
    static func == (left: KeyAction, right: KeyAction) -> Bool { left.name == right.name }
}

extension KeyAction {
    static func move(_ direction: Direction) -> KeyAction {
        KeyAction("move \(direction)") { $0.move(direction) }
    }

    /// What Enter does: opens, shows, decides.
    static let choose = KeyAction("choose") { $0.choose() }
    /// One step back.
    static let back = KeyAction("back") { $0.goBack() }
    static let quit = KeyAction("quit") { $0.actions.append(.leave) }

    static let help = KeyAction("help") { $0.helpScroll = 0 }
    static let details = KeyAction("details") { $0.toggle(.details) }
    static let scrollDown = KeyAction("scroll down") { $0.scrollDetails(by: 1) }
    static let scrollUp = KeyAction("scroll up") { $0.scrollDetails(by: -1) }
    static let messages = KeyAction("messages") { $0.toggle(.messages) }
    static let mosaic = KeyAction("mosaic") { $0.toggleMosaic() }

    static let cancel = KeyAction("cancel") { $0.askToCancel() }
    static let pauseOrResume = KeyAction("pause or resume") { $0.pauseOrResume() }
    static let dismiss = KeyAction("dismiss") { $0.dismiss() }
    static let dismissAll = KeyAction("dismiss all") { $0.askToDismissAll() }

    static let filter = KeyAction("filter") { $0.prompt = .filter($0.filter) }
    static let next = KeyAction("next") { $0.jump(by: 1) }
    static let previous = KeyAction("previous") { $0.jump(by: -1) }
    /// The digit that was pressed is the first of a slot's number.
    static let slot = KeyAction("slot", ofKey: { $0.prompt = .slot($1.text) })
    /// The character that was pressed belongs to what is being typed.
    static let type = KeyAction("type", ofKey: { $0.type($1.text) })
    static let erase = KeyAction("erase") { $0.erase() }

    static let lower = KeyAction("lower") { $0.setHeight($0.board.height - 1) }
    static let higher = KeyAction("higher") { $0.setHeight($0.board.height + 1) }
    /// Unfolds all tasks of a job that have rows; `foldAll` folds them.
    static let unfoldAll = KeyAction("unfold all") { model in
        model.inTree { $0.unfoldAll(store: $1, bodyHeight: $2) }
    }
    static let foldAll = KeyAction("fold all") { model in
        model.inTree { $0.foldAll(store: $1, bodyHeight: $2) }
    }
    /// Opens a copy of the board in another order, or changes the copy to its next order.
    static let order = KeyAction("order") { $0.orderBoard() }
    static let refit = KeyAction("refit") { $0.refit() }
    static let freeze = KeyAction("freeze") { $0.freezeOrGoOn() }
    static let refresh = KeyAction("refresh") { $0.refresh() }

    /// Sets or removes the alert for the end of a job.
    static let alert = KeyAction("alert") { $0.toggleAlert() }
    static let copy = KeyAction("copy") { $0.copyID() }
    static let copyLink = KeyAction("copy link") { $0.copyLink() }
    static let background = KeyAction("background") { $0.focusActivity() }
}

/// What is in front: the one thing that keys go to.
enum KeyContext: Hashable, Sendable, CaseIterable {
    case board, ordered, job, mosaic
    case help, dialog, slotLine, filterLine
}
