import ProgressBus
import TaskTree

/// Lines that are typed in the footer: a slot's number, a filter.
extension DashboardModel {
    /// The limit is in scalars, as one character may have any number of them.
    private static let filterLimit = 100
    private static let mostDigits = 7

    /// Adds pasted text to the filter that is being typed; elsewhere it would be keys nobody
    /// pressed.
    mutating func paste(_ text: String) {
        if keyContext == .filterLine {
            type(PlainText.clean(PlainText.trimmed(text)))
        } else {
            say("what is pasted does nothing here; after / it is looked for")
        }
    }

    mutating func type(_ text: String) {
        switch prompt {
        case .slot(let typed):
            guard typed.count < Self.mostDigits, text.allSatisfy({ ("0"..."9").contains($0) })
            else { return }
            prompt = .slot(typed + text)
        case .filter(let typed):
            // A leading slash is dropped: the footer writes filters with the slash of the key.
            let words = (typed + text).drop { $0 == "/" }
            let scalars = words.unicodeScalars.prefix(Self.filterLimit)
            prompt = .filter(String(String.UnicodeScalarView(scalars)))
        case nil: break
        }
    }

    mutating func erase() {
        switch prompt {
        case .slot(let text): prompt = text.count > 1 ? .slot(String(text.dropLast())) : nil
        case .filter(let text): prompt = .filter(String(text.dropLast()))
        case nil: break
        }
    }

    mutating func endTyping() {
        guard let typed = prompt else { return }
        prompt = nil
        switch typed {
        case .slot(let text): goToSlot(text)
        case .filter(let text): setFilter(text)
        }
    }

    private mutating func goToSlot(_ text: String) {
        guard let slot = Int(text), slot >= 1 else { return }
        let highest = max(store.highestSlot, 1)
        guard slot <= max(highest, board.perPage(bodyHeight: layout.body.height)) else {
            return say("there are \(highest) slots")
        }
        mosaic = nil
        closeJob()
        ordered = nil
        board.slot = slot
        if isSelectedHidden { board.filter = "" }
        bind()
    }
}
