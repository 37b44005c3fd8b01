import CellScreen
import ProgressBus
import TaskTree

/// The last line: what is being typed or just happened, and the keys that matter now.
extension DashboardModel {
    /// Seconds after which a broker that does not answer is told.
    private static let patience = 2.0

    func drawFooter(
        _ area: ScreenLayout.Area,
        at now: Moment,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        guard area.height > 0 else { return }
        grid.fill(
            column: area.column,
            row: area.row,
            width: area.width,
            height: 1,
            style: painter.theme.style(.footer)
        )
        let text = footerText(at: now)
        let layout = footerLayout(saying: text)
        painter.put(
            text,
            .footer,
            column: area.column,
            row: area.row,
            width: layout.textWidth,
            on: &grid
        )
        for offer in layout.offers {
            let column = area.column + offer.column
            let width = DisplayText.width(of: offer.key)
            painter.put(offer.key, .key, column: column, row: area.row, width: width, on: &grid)
            painter.put(
                offer.words,
                .footer,
                column: column + width + 1,
                row: area.row,
                width: DisplayText.width(of: offer.words),
                on: &grid
            )
        }
    }

    /// The key that is offered at a column of the footer.
    func offeredKey(atColumn column: Int, at now: Moment) -> Key? {
        footerLayout(saying: footerText(at: now)).offers.first { offer in
            (offer.column..<offer.column + offer.width).contains(column)
        }?.pressed
    }

    private func footerLayout(saying text: String) -> FooterLayout {
        FooterLayout(width: layout.footer.width, text: text, offers: offers)
    }

    /// What the keys of the view do at this moment.
    private var offers: [FooterLayout.Offer] {
        var offers: [FooterLayout.Offer] = []
        for binding in KeyTable.of(keyContext).bindings
        where !binding.changesWork || !options.isReadOnly {
            for hint in binding.hints {
                guard let words = hint.words(self) else { continue }
                offers.append(
                    FooterLayout.Offer(
                        key: hint.key,
                        words: words,
                        rank: hint.rank,
                        pressed: binding.key(of: hint)
                    )
                )
            }
        }
        return offers
    }

    private func footerText(at now: Moment) -> String {
        // A question has been asked, and an answer to something else would be in its way.
        guard dialog == nil, !isHelpShown else { return "" }
        switch prompt {
        case .slot(let text): return "slot: \(text)_"
        case .filter(let text): return "filter: \(text)_" + (text.isEmpty ? "" : "  \(hitWords)")
        case nil: break
        }
        if let focus = activity.focus, activity.cells.indices.contains(focus),
            let row = store.row(activity.cells[focus])
        {
            return "in the background: "
                + TaskSentence(row, at: store.notLiveSince ?? frozen?.at ?? now).line
        }
        let said = note.flatMap { $0.until > now ? $0.text : nil } ?? remedy(at: now)
        let found = filter.isEmpty ? nil : "/\(PlainText.clean(filter)): \(hitWords)"
        return [found, said].compactMap { $0 }.joined(separator: "  ")
    }

    private var hitWords: String {
        let count = hits
        return count == 1 ? "1 hit" : "\(HumanNumbers.grouped(Int64(count))) hits"
    }

    /// What to do where no broker answers.
    private func remedy(at now: Moment) -> String? {
        guard let since = present.notLiveSince, now.seconds(since: since) >= Self.patience else {
            return nil
        }
        let place = options.endpoint.hasPrefix("ssh:") ? " there" : ""
        return "no broker: see progressbus doctor\(place)"
    }
}
