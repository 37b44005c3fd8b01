import BusProtocol

/// Maps the broker's own pages to pages of the board.
///
/// The broker's first page is shown on the first board page that its bridge has claimed, and so on.
/// An own page without a claimed one is shown behind all known pages, and moves once its bridge has
/// claimed one. So a broker without a fleet shows its pages as 0, 1, and so on.
struct BoardPages: Equatable {
    /// The board pages that the bridge has claimed, in the order of the broker's own pages.
    var claimed: [Int] = []
    /// One more than the highest page with a job of another broker; 0 for none.
    var others = 0

    /// The first page behind all pages that this broker or another one has.
    private var free: Int { max(others, (claimed.max() ?? -1) + 1) }

    func shown(page own: Int) -> Int {
        own < claimed.count ? claimed[own] : free + own - claimed.count
    }

    /// The own page that is shown on a board page; `nil` for none.
    func own(page shown: Int) -> Int? {
        if let own = claimed.firstIndex(of: shown) { return own }
        return shown >= free ? shown - free + claimed.count : nil
    }

    func shown(slot own: Int) -> Int {
        own + (shown(page: Topic.page(ofSlot: own)) - Topic.page(ofSlot: own))
            * ProtocolLimits.boardSlots
    }

    /// The highest board slot in which one of the own slots up to this one is shown.
    func highest(own slot: Int) -> Int {
        let pages = 0...Topic.page(ofSlot: slot)
        let lasts = pages.map { shown(slot: min(slot, ($0 + 1) * ProtocolLimits.boardSlots)) }
        return lasts.max() ?? 0
    }

    /// The own slot that is shown in a board slot; `nil` for none.
    func own(slot shown: Int) -> Int? {
        guard shown > 0 else { return nil }
        let page = Topic.page(ofSlot: shown)
        return own(page: page).map { shown + ($0 - page) * ProtocolLimits.boardSlots }
    }
}
