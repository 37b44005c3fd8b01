import ProgressBus
import TaskTree

/// Handles keys, which go to what is in front.
extension DashboardModel {
    mutating func press(_ key: Key) {
        activity.focus = nil
        // A person who presses another key must not be surprised by the question.
        if dismissal?.isCounting == true { dismissal = nil }
        seeking = nil
        let table = KeyTable.of(keyContext)
        guard let action = table.action(for: key) else { return }
        forgetNote()
        if table.binding(of: key)?.changesWork == true, let reasonToAskNothing {
            return say(reasonToAskNothing)
        }
        action.act(&self, key)
        plotSelected()
    }

    /// Why nothing can be asked of tasks at this moment; `nil` where it can.
    var reasonToAskNothing: String? {
        if let why = options.readOnly { return "read-only: \(why), nothing is asked of any task" }
        if frozen != nil { return "the picture is frozen; f goes on" }
        // A request that waited for a broker might reach a task that is no longer as shown.
        return present.connection == .live ? nil : "no broker answers; nothing was asked"
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

    mutating func move(_ direction: KeyAction.Direction) {
        switch keyContext {
        case .board, .ordered: direction == .right ? openSelected() : moveCursor(direction)
        case .job: moveInJob(direction)
        case .mosaic: moveCursor(direction)
        case .help: scrollHelp(direction)
        case .dialog:
            switch direction {
            case .up, .left: dialog?.choose(by: -1)
            case .down, .right: dialog?.choose(by: 1)
            case .pageUp, .pageDown, .first, .last: scrollDialog(direction)
            }
        case .slotLine:
            prompt = nil
            move(direction)
        case .filterLine: break
        }
    }

    mutating func choose() {
        switch keyContext {
        case .board, .ordered: openSelected()
        case .job: chooseInJob()
        case .mosaic: openCell()
        case .dialog: decide()
        case .slotLine, .filterLine: endTyping()
        case .help: break
        }
    }

    /// Goes one step back: closes what is in front, else the filter, else the pane, else the view.
    mutating func goBack() {
        switch keyContext {
        case .dialog:
            dialog?.chosen = 0
            decide()
        case .slotLine: prompt = nil
        case .filterLine:
            prompt = nil
            filter = ""
        case .help: helpScroll = nil
        case .board, .ordered, .job, .mosaic:
            if !filter.isEmpty {
                filter = ""
            } else if isPaneInFront {
                pane.close()
                paneChanged()
            } else if mosaic != nil {
                mosaic = nil
            } else if job != nil {
                closeJob()
                bind()
            } else {
                ordered = nil
            }
        }
    }

    private mutating func scrollHelp(_ direction: KeyAction.Direction) {
        let page = max(layout.body.height - 2, 1)
        let first = direction.step(from: helpScroll ?? 0, page: page).to
        helpScroll = min(max(first, 0), helpLinesCut)
    }
}

extension Key {
    /// The character that was pressed, if it was one.
    var text: String { if case .character(let character) = self { String(character) } else { "" } }
}
