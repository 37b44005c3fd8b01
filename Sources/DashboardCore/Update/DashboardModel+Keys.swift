import ProgressBus
import TaskTree

/// What keys do; what is in front gets them.
extension DashboardModel {
    mutating func press(_ key: Key, at now: Moment, _ actions: inout [DashboardAction]) {
        activity.focus = nil
        // A question must not come under the hands of a person who has gone on.
        if dismissal?.isCounting == true { dismissal = nil }
        guard let action = KeyTable.of(keyContext).action(for: key) else { return }
        perform(action, key, at: now, &actions)
        observe(at: now)
    }

    /// Where keys go: to what is in front.
    var keyContext: KeyContext {
        if dialog != nil { return .dialog }
        switch prompt {
        case .slot: return .slotLine
        case .filter: return .filterLine
        case nil: return isHelpShown ? .help : viewContext
        }
    }

    /// The view, whatever is in front of it.
    var viewContext: KeyContext {
        switch view {
        case .board: .board
        case .ordered: .ordered
        case .job: .job
        case .mosaic: .mosaic
        }
    }

    private mutating func perform(
        _ action: KeyAction,
        _ key: Key,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        switch action {
        case .move(let direction): move(direction, at: now, &actions)
        case .choose: choose(at: now, &actions)
        case .back: goBack(at: now, &actions)
        case .quit: actions.append(.leave)
        case .help: helpScroll = 0
        case .details: toggle(.details, at: now)
        case .messages: toggle(.messages, at: now)
        case .mosaic: toggleMosaic(at: now, &actions)
        case .cancel: askToCancel(at: now)
        case .pauseOrResume: pauseOrResume(at: now, &actions)
        case .dismiss: dismiss(at: now, &actions)
        case .dismissAll: askToDismissAll(at: now)
        case .filter: prompt = .filter(filter)
        case .next: jump(by: 1, at: now, &actions)
        case .previous: jump(by: -1, at: now, &actions)
        case .slot: prompt = .slot(key.text)
        case .lower: setHeight(board.height - 1)
        case .higher: setHeight(board.height + 1)
        case .order: orderBoard()
        case .alert: toggleAlert(at: now)
        case .copy: copyID(at: now, &actions)
        case .refit: refit()
        case .freeze: freezeOrGoOn(at: now)
        case .refresh: refresh(at: now, &actions)
        case .background: focusActivity(at: now)
        case .type: type(key.text)
        case .erase: erase()
        }
    }

    private mutating func move(
        _ direction: KeyAction.Direction,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        switch keyContext {
        case .board: moveOnBoard(direction, at: now)
        case .ordered: moveInOrder(direction, at: now)
        case .job: moveInJob(direction)
        case .mosaic: moveInMosaic(direction, &actions)
        case .help: scrollHelp(direction)
        case .dialog: dialog?.choose(by: [.up, .left].contains(direction) ? -1 : 1)
        case .slotLine, .filterLine: break
        }
    }

    private mutating func choose(at now: Moment, _ actions: inout [DashboardAction]) {
        switch keyContext {
        case .board, .ordered: openSelected(at: now)
        case .job: chooseInJob(at: now)
        case .mosaic: openCell(at: now)
        case .dialog: decide(at: now, &actions)
        case .slotLine, .filterLine: endTyping(at: now, &actions)
        case .help: break
        }
    }

    /// One step back: from what is in front, then from what hides rows, then from the view.
    private mutating func goBack(at now: Moment, _ actions: inout [DashboardAction]) {
        switch keyContext {
        case .dialog:
            if let first = dialog?.choices.first { dialog?.chosen = first }
            decide(at: now, &actions)
        case .slotLine: prompt = nil
        case .filterLine:
            prompt = nil
            filter = ""
        case .help: helpScroll = nil
        case .board, .ordered, .job, .mosaic:
            if !filter.isEmpty {
                filter = ""
            } else if isPaneInFront {
                pane = nil
                paneChanged()
            } else if mosaic != nil {
                mosaic = nil
            } else if job != nil {
                job = nil
                bind()
            } else {
                ordered = nil
            }
        }
    }

    private mutating func scrollHelp(_ direction: KeyAction.Direction) {
        let page = max(layout.body.height - 2, 1)
        let first =
            switch direction {
            case .up: (helpScroll ?? 0) - 1
            case .down: (helpScroll ?? 0) + 1
            case .pageUp: (helpScroll ?? 0) - page
            case .pageDown: (helpScroll ?? 0) + page
            case .last: Int.max
            case .first, .left, .right: 0
            }
        helpScroll = min(max(first, 0), helpLinesCut)
    }
}

extension Key {
    /// The character that was pressed, if it was one.
    var text: String { if case .character(let character) = self { String(character) } else { "" } }
}
