import BusProtocol

/// Which broker has which page of the fleet's board, and which page is to be claimed next.
///
/// The first claim of a page that NATS keeps is the one that holds. A broker's own pages are in the order in
/// which it claimed them, which its slots follow.
struct PageClaims {
    let broker: UInt64
    /// This broker's pages; remembered across restarts of the bridge.
    private(set) var own: [Int]
    private var owners: [Int: UInt64] = [:]
    /// The pages whose claims the stream has, as far as is known.
    private var kept: Set<Int> = []
    /// The claim that is not answered yet.
    private var asked: Int?
    /// The first page behind all that are known: where the broker shows what has no page yet.
    private(set) var free: Int

    init(broker: UInt64, own: [Int]) {
        self.broker = broker
        self.own = own
        free = (own.max() ?? -1) + 1
    }

    func owner(ofSlot slot: Int) -> UInt64? { owners[Topic.page(ofSlot: slot)] }

    /// What a claim has changed.
    struct Change {
        /// Who had the page before.
        var former: UInt64?
    }

    /// Takes note of a claim; `nil`: nothing is different.
    ///
    /// Where two have claimed a page, as NATS had lost the first claim, the record that it has counts.
    mutating func hear(_ page: Int, of owner: UInt64) -> Change? {
        if asked == page { asked = nil }
        kept.insert(page)
        let former = owners.updateValue(owner, forKey: page)
        guard former != owner else { return nil }
        free = max(free, page + 1)
        if owner != broker {
            own.removeAll { $0 == page }
        } else if !own.contains(page), own.count < ProtocolLimits.ownedPages {
            own.append(page)
        }
        return Change(former: former)
    }

    /// What the stream has is about to be read: it may have lost claims.
    mutating func beginReading() {
        kept = []
    }

    /// NATS may have lost the claims of this broker's pages without a word: they are claimed again.
    mutating func doubtOwn() {
        kept.subtract(own)
    }

    /// The claim that was asked for has come to nothing; it is tried again.
    ///
    /// False: NATS has kept nothing as it has a claim already, by all that is known this broker's own.
    mutating func claimFailed(_ page: Int) -> Bool {
        asked = nil
        guard owners[page] == broker else { return true }
        kept.insert(page)
        return false
    }

    /// The page to claim now; `nil`: one is asked for, or there are enough.
    ///
    /// Those first that are this broker's, and that the stream has lost.
    mutating func next(needed: Int) -> Int? {
        guard asked == nil else { return nil }
        let lost = own.first { !kept.contains($0) }
        guard lost != nil || own.count < min(needed, ProtocolLimits.ownedPages) else { return nil }
        var page = lost ?? 0
        while lost == nil, owners[page] != nil { page += 1 }
        guard page < Int(ProtocolLimits.fleetPages) else { return nil }
        asked = page
        return page
    }
}
