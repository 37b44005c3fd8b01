import BusProtocol

/// Which broker has which page of the fleet's board, and which page is to be claimed next.
///
/// Of several claims of one page, the first that NATS keeps is valid; bridges also hear the claims
/// that NATS refuses.
/// A broker's own pages are in the order in which it claimed them, and its own slots follow that
/// order.
struct PageClaims {
    let broker: UInt64
    /// This broker's pages; remembered across restarts of the bridge.
    private(set) var own: [Int]
    private var owners: [Int: UInt64] = [:]
    /// The pages whose claims the stream has, as far as is known.
    private var kept: Set<Int> = []
    /// The claim that is not answered yet.
    private var asked: Int?
    /// Failed claims since the last one that held: other brokers were faster.
    private var failures: UInt64 = 0
    init(broker: UInt64, own: [Int]) {
        self.broker = broker
        self.own = own
    }

    func owner(ofSlot slot: Int) -> UInt64? { owners[Topic.page(ofSlot: slot)] }

    /// What a claim that was heard has changed.
    enum Hearing: Equatable {
        case nothing
        /// The page has another owner; `former` had it before.
        case changed(former: UInt64?)
        /// Two brokers have claimed the page; only the stream shows whose it is.
        case disputed
    }

    /// Takes note of a claim that NATS has kept, or that another broker has made just now.
    mutating func hear(_ page: Int, of owner: UInt64, isKept: Bool) -> Hearing {
        let former = owners[page] ?? (own.contains(page) ? broker : nil)
        guard isKept || former == nil || former == owner else { return .disputed }
        if isKept, asked == page { asked = nil }
        kept.insert(page)
        owners[page] = owner
        guard former != owner else { return .nothing }
        if owner != broker {
            own.removeAll { $0 == page }
        } else if !own.contains(page), own.count < ProtocolLimits.ownedPages {
            own.append(page)
            failures = 0
        }
        return .changed(former: former)
    }

    /// Forgets which claims the stream has: it is about to be read again and may have lost some.
    mutating func beginReading() {
        (kept, asked) = ([], nil)
    }

    /// Has this broker's pages claimed again, as NATS may have lost the claims without a sign.
    mutating func doubtOwn() {
        kept.subtract(own)
    }

    /// Notes that NATS has not kept a claim; returns whether the stream is to be read first,
    /// because the owner of the page is not known.
    mutating func claimFailed(_ page: Int) -> Bool {
        guard let owner = owners[page] else { return true }
        if asked == page { asked = nil }
        if owner == broker { kept.insert(page) } else { failures += 1 }
        return false
    }

    /// The page to claim now; `nil` if a claim is not answered yet, there are enough pages, or none
    /// is left.
    ///
    /// This broker's pages that the stream has lost come first.
    mutating func next(needed: Int) -> Int? {
        guard asked == nil else { return nil }
        var page = own.first { !kept.contains($0) }
        if page == nil, own.count < min(needed, ProtocolLimits.ownedPages) { page = unowned() }
        guard let page, page < Int(ProtocolLimits.fleetPages) else { return nil }
        asked = page
        return page
    }

    /// The page that this broker claims next, of those that no broker has claimed.
    ///
    /// It is the first one. A broker whose claims have failed three times chooses among the first
    /// two, and among twice as many after each further failure, so that hundreds of brokers that
    /// join at once claim different pages.
    private func unowned() -> Int {
        // The highest bits of a product (Knuth, multiplicative hashing) that differs for each
        // failure.
        let product = broker &* 0x9E37_79B9_7F4A_7C15 &* (2 &* failures + 1)
        var left = product >> (64 - min(max(failures, 2) - 2, 7))
        var page = 0
        while owners[page] != nil || left > 0 {
            if owners[page] == nil { left -= 1 }
            page += 1
        }
        return page
    }
}
