import BusProtocol

/// Which broker has which page of the fleet's board, and which page is to be claimed next.
///
/// The first claim of a page that NATS keeps is the one that holds; those that it refuses are heard by all
/// the same. A broker's own pages are in the order in which it claimed them, which its slots follow.
struct PageClaims {
    let broker: UInt64
    /// This broker's pages; remembered across restarts of the bridge.
    private(set) var own: [Int]
    private var owners: [Int: UInt64] = [:]
    /// The pages whose claims the stream has, as far as is known.
    private var kept: Set<Int> = []
    /// The claim that is not answered yet.
    private var asked: Int?
    /// Claims since the last one that held; others were faster.
    private var failures = 0
    /// The first page behind all that are known: where the broker shows what has no page yet.
    private(set) var free: Int

    init(broker: UInt64, own: [Int]) {
        self.broker = broker
        self.own = own
        free = (own.max() ?? -1) + 1
    }

    func owner(ofSlot slot: Int) -> UInt64? { owners[Topic.page(ofSlot: slot)] }

    /// What came of a claim that was heard.
    enum Hearing: Equatable {
        case nothing
        /// Who had the page before.
        case changed(former: UInt64?)
        /// Two have claimed the page; the stream knows whose it is.
        case disputed
    }

    /// Takes note of a claim that NATS has kept, or that another broker has made just now.
    mutating func hear(_ page: Int, of owner: UInt64, isKept: Bool) -> Hearing {
        let former = owners[page]
        guard isKept || former == nil || former == owner else { return .disputed }
        if isKept, asked == page { asked = nil }
        kept.insert(page)
        owners[page] = owner
        guard former != owner else { return .nothing }
        free = max(free, page + 1)
        if owner != broker {
            own.removeAll { $0 == page }
        } else if !own.contains(page), own.count < ProtocolLimits.ownedPages {
            own.append(page)
            failures = 0
        }
        return .changed(former: former)
    }

    /// What the stream has is about to be read: it may have lost claims.
    mutating func beginReading() {
        kept = []
    }

    /// NATS may have lost the claims of this broker's pages without a word: they are claimed again.
    mutating func doubtOwn() {
        kept.subtract(own)
    }

    /// NATS has refused a claim, or has not answered; whether only the stream tells why.
    mutating func claimFailed(_ page: Int) -> Bool {
        asked = nil
        guard let owner = owners[page] else { return true }
        if owner == broker { kept.insert(page) } else { failures += 1 }
        return false
    }

    /// The page to claim now; `nil`: one is asked for, or there are enough.
    ///
    /// Those first that are this broker's, and that the stream has lost.
    mutating func next(needed: Int) -> Int? {
        guard asked == nil else { return nil }
        var page = own.first { !kept.contains($0) }
        if page == nil, own.count < min(needed, ProtocolLimits.ownedPages) { page = unowned() }
        guard let page, page < Int(ProtocolLimits.fleetPages) else { return nil }
        asked = page
        return page
    }

    /// A page that nobody has: the first one, and with each failure one of twice as many, so that of
    /// hundreds that join at once not all claim the same.
    private func unowned() -> Int {
        let exponent = min(failures, 7)
        // The numbers of brokers are random: other bits of it each time.
        var left = Int(broker >> (8 * UInt64(exponent)) & 0xFF) % (1 << exponent)
        var page = 0
        while owners[page] != nil || left > 0 {
            if owners[page] == nil { left -= 1 }
            page += 1
        }
        return page
    }
}
