import CellScreen
import ProgressBus
import TaskTree

/// The last line: what is being typed or looked for, and the keys that matter now.
///
/// For a while, the rows above it show a note about what just happened.
extension DashboardModel {
    func drawFooter(_ area: Area, _ painter: inout Painter) {
        guard area.height > 0 else { return }
        painter.fill(area, .footer)
        let text = footerText(at: painter.clock)
        let layout = footerLayout(saying: text)
        let field = Field(start: area.column, width: layout.textWidth)
        painter.put(text, .footer, field, row: area.row)
        for offer in layout.offers {
            let end = painter.putWord(offer.hint.key, .key, from: offer.column, row: area.row)
            painter.putWord(offer.words, .footer, from: end + 1, row: area.row)
        }
    }

    /// The key that is offered at a column of the footer.
    func offeredKey(atColumn column: Int, at now: Moment) -> Key? {
        footerLayout(saying: footerText(at: now)).offers.first { offer in
            (offer.column..<offer.column + offer.width).contains(column)
        }?.hint.pressed
    }

    private func footerLayout(saying text: String) -> FooterLayout {
        FooterLayout(width: layout.footer.width, text: text, offers: offers)
    }

    /// What the keys of the view do at this moment.
    private var offers: [FooterLayout.Offer] {
        KeyTable.of(keyContext).bindings
            .filter { !$0.changesWork || reasonToAskNothing == nil }
            .flatMap { binding in
                binding.hints.compactMap { hint in
                    hint.words(self).map { FooterLayout.Offer(hint: hint, words: $0) }
                }
            }
    }

    private func footerText(at now: Moment) -> String {
        guard dialog == nil, !isHelpShown else { return "" }
        switch prompt {
        case .slot(let text): return "slot: \(text)_"
        case .filter(let text):
            guard !text.isEmpty else { return "filter: _" }
            let isOfNames = view == .mosaic && !TaskFilter(text).isOfStates
            return "filter: \(text)_  \(isOfNames ? Self.wordsForNames : hitWords)"
        case nil: break
        }
        let found = filter.isEmpty ? nil : "/\(PlainText.clean(filter)): \(hitWords)"
        return [found, remedy(at: now)].compactMap { $0 }.joined(separator: "  ")
    }

    /// Draws the note about what just happened in full, in the rows above the footer.
    ///
    /// If the cursor is in these rows, the note takes the first rows of the body.
    func drawNote(_ layout: ScreenLayout, _ painter: inout Painter) {
        let (body, footer) = (layout.body, layout.footer)
        guard footer.height > 0, footer.width > 0, let text = said(at: painter.clock), !text.isEmpty
        else { return }
        let lines = TextBox.wrapped(text, to: footer.width)
        let height = max(min(lines.count, footer.row - body.row - 1), 1)
        var area = Area(column: footer.column, row: footer.row - height, width: footer.width)
        area.height = height
        let isOverCursor = (area.row..<footer.row).contains { row in
            place(line: row - body.row, column: 0) == cursor
        }
        if isOverCursor { area.row = body.row }
        painter.fill(area, .header)
        painter.putLines(lines.prefix(height - 1), .header, in: area)
        let rest = lines.dropFirst(height - 1).joined(separator: " ")
        painter.put(rest, .header, area.field, row: area.row + height - 1)
    }

    private func said(at now: Moment) -> String? {
        // A note about something else would be in the way of a dialog or of the help.
        guard dialog == nil, !isHelpShown else { return nil }
        if let focus = activity.focus, activity.cells.indices.contains(focus),
            let row = store.row(activity.cells[focus])
        {
            return "in the background: " + TaskSentence(row, at: timeOfPicture(at: now)).line
        }
        return note.flatMap { $0.until > now ? $0.text : nil }
    }

    /// The words for a filter by name in a mosaic, which only finds states.
    static let wordsForNames = "cells are found by their states alone, such as /failed"

    private var hitWords: String {
        if prompt == nil, view == .job, let job, let hits = job.hits {
            let all = (hits.reached == nil ? "" : "at least ") + HumanNumbers.grouped(hits.count)
            let words = "\(HumanNumbers.grouped(hitsHere)) here, \(all) in the job"
            // The broker has no names of children that their owner has folded away.
            let unlisted = job.last?.childrenLeftOut ?? 0
            return unlisted == 0 ? words : words + ", \(HumanNumbers.grouped(unlisted)) not listed"
        }
        let count = hits
        let isOfJobs = count == 0 && (view == .board || view == .ordered)
        let words =
            isOfJobs
            ? "0 hits among jobs"
            : count == 1 ? "1 hit" : "\(HumanNumbers.grouped(count)) hits"
        let needing = troubled
        let trouble =
            needing > count ? ", \(HumanNumbers.grouped(needing)) need attention" : ""
        return words + trouble + (searched ?? "")
    }

    /// What to do where no broker answers.
    private func remedy(at now: Moment) -> String? {
        guard present.secondsWithoutBroker(at: now) != nil else { return nil }
        // Whether the connection or the broker is gone is not known here.
        return options.endpoint.hasPrefix("ssh:")
            ? "no word from there; connecting again" : "no broker: see progressbus doctor"
    }

    // MARK: - What keys do at this moment, for the footer

    /// The task of the cursor; `nil` if the filter hides it.
    var selectedRow: TaskSnapshot? {
        isSelectedHidden ? nil : selected.flatMap { store.rows[$0] }
    }

    /// Whether the dashboard has any task.
    var hasTasks: Bool { !store.rows.isEmpty }

    /// Whether dismissing the task of the cursor would change what the screen shows.
    var canDismiss: Bool {
        selectedRow.map { $0.state.isEnded && ($0.parent == nil || $0.needsAttention) } ?? false
    }

    /// Whether a job that is known here has ended.
    var hasEndedJob: Bool { store.rows.values.contains { $0.parent == nil && $0.state.isEnded } }

    /// What Enter does in the row of the cursor, in the tree of a job.
    var meaningOfChoice: String? {
        guard let job, let line = job.line else { return nil }
        if line.content == .rest { return "next page" }
        if line.isUnfolded { return line.content == .job ? nil : "fold" }
        guard let row = store.rows[job.task(at: line, in: store) ?? job.job] else { return nil }
        return row.isParent ? "unfold" : meaningOfDetails
    }

    var meaningOfDetails: String { pane.content == .details ? "hide details" : "details" }

    /// Whether the pane was opened in this view, so that Esc closes the pane first.
    var isPaneInFront: Bool { pane.content != nil && pane.opener == view }

    /// Where Esc leads; `nil` if nowhere.
    var meaningOfBack: String? {
        if !filter.isEmpty { return "show all" }
        if isPaneInFront { return "close" }
        return view == .board ? nil : "back"
    }
}

/// Where in the last line the text is, and where the offered keys are.
///
/// The line offers as many keys as there is room for, by their rank. The text goes before keys, but
/// never takes the room of the kept keys: they then lose their words.
struct FooterLayout: Sendable {
    /// A key that is offered, and what it does.
    struct Offer: Sendable {
        var hint: KeyBinding.Hint
        var words: String
        var column = 0

        /// The columns from the key to the end of its words.
        var width: Int {
            DisplayText.width(of: hint.key) + (words.isEmpty ? 0 : 1 + DisplayText.width(of: words))
        }
    }

    private static let gap = 2

    /// The columns for the text, from the first.
    let textWidth: Int
    let offers: [Offer]

    init(width: Int, text: String, offers: [Offer]) {
        let sorted = offers.sorted { $0.hint.rank < $1.hint.rank }
        var kept = sorted.filter { $0.hint.rank < KeyBinding.kept }
        var others = sorted.filter { $0.hint.rank >= KeyBinding.kept }
        let wanted = DisplayText.width(of: text)
        let before = wanted > 0 ? wanted + Self.gap : 0
        var gap = Self.gap
        if before + Self.width(of: kept, gap) > width {
            if wanted > 0 { gap = 1 }
            for index in kept.indices where wanted > 0 { kept[index].words = "" }
            while kept.count > 0, Self.width(of: kept, gap) > width { kept.removeLast() }
            others = []
        }
        var chosen: [Offer] = []
        var end = before + Self.width(of: kept, gap)
        for offer in others {
            end += offer.width + gap
            guard end <= width else { break }
            chosen.append(offer)
        }
        // The kept keys stand at the end, the one with the lowest rank last.
        chosen += kept.reversed()
        let taken = Self.width(of: chosen, gap)
        textWidth = min(wanted, max(width - (chosen.isEmpty ? 0 : taken + Self.gap), 0))
        var column = textWidth > 0 ? textWidth + Self.gap : 0
        for index in chosen.indices {
            chosen[index].column = column
            column += chosen[index].width + gap
        }
        self.offers = chosen
    }

    private static func width(of offers: [Offer], _ gap: Int) -> Int {
        guard !offers.isEmpty else { return 0 }
        return offers.reduce(-gap) { $0 + $1.width + gap }
    }
}
