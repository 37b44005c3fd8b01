import ProgressBus
import TaskTree

/// What keys do; the innermost thing that is open gets them first.
extension DashboardModel {
    mutating func press(_ key: Key, at now: Moment, _ actions: inout [DashboardAction]) {
        // Whatever is open: this ends the program, and never the work.
        if key == .interrupt { return actions.append(.leave) }
        activity.focus = nil
        if dialog != nil {
            pressInDialog(key, at: now, &actions)
        } else if prompt != nil {
            pressInPrompt(key, at: now, &actions)
        } else if isHelpShown {
            if key == .character("q") { return actions.append(.leave) }
            isHelpShown = false
        } else if !pressAnywhere(key, at: now, &actions) {
            switch view {
            case .board: pressOnBoard(key, at: now)
            case .job: pressInJob(key, at: now)
            case .mosaic: pressInMosaic(key, at: now, &actions)
            }
            observe(at: now)
        }
    }

    /// Keys that mean the same in every view; false if this is none of them.
    private mutating func pressAnywhere(
        _ key: Key,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) -> Bool {
        guard case .character(let character) = key else {
            if key == .tab {
                pane = pane == .details ? nil : .details
                paneChanged(at: now)
                return true
            }
            return false
        }
        switch character {
        case "q": actions.append(.leave)
        case "?": isHelpShown = true
        case "x": askToCancel(at: now)
        case "p": pauseOrResume(at: now, &actions)
        case "d": dismiss(at: now, &actions)
        case "f": freezeOrGoOn(at: now)
        case "l":
            pane = pane == .messages ? nil : .messages
            paneChanged(at: now)
        case "R":
            guard frozen == nil else {
                actions.append(.redraw)
                note = Note("the picture is frozen; f goes on", at: now)
                break
            }
            actions += [.refresh, .redraw]
            note = Note("asked for a fresh picture", at: now)
        case "/": prompt = .filter(filter)
        case "n": jump(by: 1, at: now, &actions)
        case "N": jump(by: -1, at: now, &actions)
        case "m":
            toggleMosaic(at: now)
            if mosaic != nil { nameCell(&actions) }
        case "=": refit()
        case "b": focusActivity(at: now)
        case "0"..."9": prompt = character == "0" ? nil : .slot(String(character))
        default: return false
        }
        return true
    }

    private mutating func paneChanged(at now: Moment) {
        let body = layout.body
        job?.keepCursorVisible(bodyHeight: body.height)
        mosaic?.keepCursorVisible(in: body)
        observe(at: now)
    }

    private mutating func pressInDialog(
        _ key: Key,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        switch key {
        case .escape, .character("q"):
            dialog?.chosen = .keepGoing
            decide(at: now, &actions)
        case .enter: decide(at: now, &actions)
        case .left, .up, .character("h"), .character("k"): dialog?.choose(by: -1)
        case .right, .down, .tab, .character("l"), .character("j"): dialog?.choose(by: 1)
        default: break
        }
    }

    private mutating func pressInPrompt(
        _ key: Key,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        switch (prompt, key) {
        case (.slot, .escape):
            prompt = nil
        case (.filter, .escape):
            prompt = nil
            filter = ""
        case (.slot(let text), .enter):
            prompt = nil
            goToSlot(text, at: now)
        case (.filter(let text), .enter):
            prompt = nil
            filter = text
        case (.slot(let text), .backspace):
            prompt = text.count > 1 ? .slot(String(text.dropLast())) : nil
        case (.filter(let text), .backspace):
            prompt = .filter(String(text.dropLast()))
        case (.slot(let text), .character(let digit)):
            guard ("0"..."9").contains(digit), text.count < 7 else { return }
            prompt = .slot(text + String(digit))
        case (.filter, .character(let character)):
            extendFilter(by: String(character))
        default:
            break
        }
    }

    private mutating func goToSlot(_ text: String, at now: Moment) {
        guard let slot = Int(text), slot >= 1 else { return }
        let highest = max(store.highestSlot, 1)
        guard slot <= max(highest, board.perPage(bodyHeight: layout.body.height)) else {
            note = Note("there are \(highest) slots", at: now)
            return
        }
        mosaic = nil
        job = nil
        board.slot = slot
        bind()
    }

    private mutating func toggleMosaic(at now: Moment) {
        if mosaic != nil {
            mosaic = nil
            return
        }
        if let job {
            mosaic = MosaicState(job: job.job, slot: job.slot)
        } else if let id = selected, let row = store.rows[id] {
            mosaic = MosaicState(job: row.job, slot: row.slot)
        } else {
            note = Note("there is no job in this slot", at: now)
        }
    }

    private mutating func focusActivity(at now: Moment) {
        let used = activity.cells.indices.filter { activity.cells[$0] != nil }
        guard let first = used.first else {
            note = Note("nothing runs in the background", at: now)
            return
        }
        let focus = lastFocus.flatMap { last in used.first { $0 > last } } ?? first
        activity.focus = focus
        lastFocus = focus
    }
}
