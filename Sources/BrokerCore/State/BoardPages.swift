import BusProtocol

/// Where the pages of this broker's jobs are on the board.
///
/// The jobs on the broker's first page are shown on the first page of the fleet's board that its bridge has
/// claimed, and so on. A page for which none is claimed yet is shown behind all pages that are known, and
/// moves once one is. So a broker without a fleet shows its pages as 0, 1, and so on.
struct BoardPages: Equatable {
    /// Pages of the board, in the order of the broker's own.
    var claimed: [Int] = []
    /// How far the pages of other brokers reach.
    var others = 0

    /// The first page behind all pages that this broker or another one has.
    private var free: Int { max(others, (claimed.max() ?? -1) + 1) }

    func shown(page own: Int) -> Int {
        own < claimed.count ? claimed[own] : free + own - claimed.count
    }

    /// Which of the broker's own pages is shown there; `nil` for none.
    func own(page shown: Int) -> Int? {
        if let own = claimed.firstIndex(of: shown) { return own }
        return shown >= free ? shown - free + claimed.count : nil
    }

    func shown(slot own: Int) -> Int {
        own + (shown(page: Topic.page(ofSlot: own)) - Topic.page(ofSlot: own))
            * ProtocolLimits.boardSlots
    }

    /// The highest slot shown where the highest own one is this.
    func highest(own slot: Int) -> Int {
        let pages = 0...Topic.page(ofSlot: slot)
        let lasts = pages.map { shown(slot: min(slot, ($0 + 1) * ProtocolLimits.boardSlots)) }
        return lasts.max() ?? 0
    }

    /// Which of the broker's own slots is shown there; `nil` for none.
    func own(slot shown: Int) -> Int? {
        guard shown > 0 else { return nil }
        let page = Topic.page(ofSlot: shown)
        return own(page: page).map { shown + ($0 - page) * ProtocolLimits.boardSlots }
    }
}
