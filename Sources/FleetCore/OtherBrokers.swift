import BusProtocol
import TaskTree

/// The newest records of the other brokers' bridges, and what this broker has been told of them.
///
/// Bounded by `brokerLimit` and `slotLimit`: records beyond them are ignored here; the stream keeps
/// them.
struct OtherBrokers {
    /// Seconds without a record until a broker is unheard.
    private static let patience = 4.0
    /// Seconds without a changed job until a broker counts as having no news.
    private static let pause = 10.0
    /// Seconds after which a broker that is unheard is taken off the board.
    private static let forgottenAfter = 24 * 3_600.0
    /// Seconds between two looks for brokers that are unheard.
    private static let lookedEvery = 0.25
    /// More brokers than the own one accepts, which itself refuses those beyond its limit.
    private static let brokerLimit = 1_100
    /// Slots of all brokers that have or had a job.
    private static let slotLimit = 40_000

    fileprivate struct Other {
        var host = ""
        var life: UInt64 = 0
        /// The sequence of the newest record.
        var sequence: UInt64 = 0
        var slots: [Int: Slot] = [:]
        /// The job that this broker was last told of in each slot.
        var told: [Int: WireTaskRef] = [:]
        var heard: Moment
        /// When it said last that one of its jobs had changed.
        var hadNews: Moment?
        /// The time on the broker's own clock when it last spoke.
        var time = 0.0
        var clock = ClockComparison()
        /// Since when nothing has come from the broker, in Unix seconds; 0: it is heard.
        var unheard = 0.0
    }

    fileprivate struct Slot {
        var life: UInt64
        var sequence: UInt64
        var row: WireRow?
    }

    private var others: [UInt64: Other] = [:]
    private var slotCount = 0
    /// The brokers of which there is something to tell this one, and the slots in question.
    private var toTell: [UInt64: Set<Int>] = [:]
    /// Brokers that have left, which this broker has yet to be told.
    private var left: [UInt64] = []
    private var lookedAt: Moment?
    /// How many other brokers have news: a job changed in the last `pause` seconds.
    private(set) var countWithNews = 0

    /// Takes a record of a slot, or a beat if `slot` is `nil`; returns whether an earlier record
    /// has not come.
    ///
    /// Records of the stream (`isStored`) come in any order, and are no sign of life.
    mutating func hear(
        _ record: WireFleetRecord,
        slot: Int?,
        isStored: Bool,
        at now: Moment,
        unixTime: Double
    ) -> Bool {
        // The stream still has records of hosts that left long ago.
        let isOver = isStored && unixTime - record.time >= Self.forgottenAfter
        guard others[record.broker] != nil || !isOver && others.count < Self.brokerLimit else {
            return false
        }
        let (host, unheard) = (others[record.broker]?.host, others[record.broker]?.unheard)
        var other = others.removeValue(forKey: record.broker) ?? Other(heard: now)
        defer { others[record.broker] = other }
        let isBehind = other.hear(record, isBeat: slot == nil, isStored: isStored, at: now)
        if host != other.host || unheard != other.unheard { tell([], of: record.broker) }
        if slot == nil, other.clock.compare(record.time, with: unixTime), !other.slots.isEmpty {
            tell(other.slots.keys, of: record.broker)
        }
        guard let slot, slotCount < Self.slotLimit || other.slots[slot] != nil,
            !record.hasRow || Int(record.row.description_p.slot) == slot
        else { return isBehind }
        let former = other.slots[slot]
        if former == nil { slotCount += 1 }
        if let former, (former.life, former.sequence) >= (record.life, record.sequence) {
            return isBehind
        }
        if !isStored, let row = former?.row, row.sequence != record.row.sequence {
            other.hadNews = now
        }
        other.slots[slot] = Slot(
            life: record.life,
            sequence: record.sequence,
            row: record.hasRow ? record.row : nil
        )
        tell([slot], of: record.broker)
        return isBehind
    }

    private mutating func tell(_ slots: some Sequence<Int>, of broker: UInt64) {
        toTell[broker, default: []].formUnion(slots)
    }

    var count: Int { others.count }

    /// One more than the highest page of the jobs that this broker was told of; 0 for none.
    var reach: Int {
        let highest = others.values.lazy.compactMap { $0.told.keys.max() }.max()
        return highest.map { Topic.page(ofSlot: $0) + 1 } ?? 0
    }

    /// How far the clock of a broker is ahead of the one here.
    func secondsAhead(_ broker: UInt64) -> Double { others[broker]?.clock.ahead ?? 0 }

    /// Finds out which brokers have not been heard for too long, and which have news.
    mutating func tick(at now: Moment, unixTime: Double) {
        if let lookedAt, now.seconds(since: lookedAt) < Self.lookedEvery { return }
        lookedAt = now
        countWithNews = 0
        for (broker, other) in others {
            if let hadNews = other.hadNews, now.seconds(since: hadNews) < Self.pause {
                countWithNews += 1
            }
            let silence = now.seconds(since: other.heard)
            guard silence >= Self.patience else { continue }
            if other.unheard == 0 {
                // For a broker that was never heard itself, its stored records say when it last
                // spoke.
                let since = min(max(unixTime - silence, 1), max(other.time - other.clock.ahead, 1))
                others[broker]?.unheard = since
                tell([], of: broker)
            } else if unixTime - other.unheard >= Self.forgottenAfter {
                slotCount -= other.slots.count
                others[broker] = nil
                toTell[broker] = nil
                left.append(broker)
            }
        }
    }

    /// Has the jobs of a broker on a page told again, as the page is its now or no more.
    mutating func retell(page: Int, of broker: UInt64) {
        guard let slots = others[broker]?.slots else { return }
        let first = page * ProtocolLimits.boardSlots + 1
        let last = first + ProtocolLimits.boardSlots - 1
        let used = (first...last).filter { slots[$0] != nil }
        if !used.isEmpty { tell(used, of: broker) }
    }

    /// Has everything told again.
    ///
    /// - Parameter isForgotten: The own broker knows nothing of what it was told before.
    mutating func tellAll(isForgotten: Bool) {
        for (broker, other) in others {
            tell(other.slots.keys, of: broker)
            if isForgotten { others[broker]?.told = [:] }
        }
        if isForgotten { left = [] }
    }

    /// Takes what this broker is to be told now, in frames that are not too large.
    mutating func takeNews(claims: PageClaims) -> [WireFleetRows] {
        var frames = left.map { broker in
            var rows = WireFleetRows()
            rows.broker = broker
            rows.left = true
            return rows
        }
        left = []
        for (broker, slots) in toTell.sorted(by: { $0.key < $1.key }) {
            guard var other = others.removeValue(forKey: broker) else { continue }
            frames += other.takeNews(of: broker, slots: slots, claims: claims)
            others[broker] = other
        }
        toTell = [:]
        return frames
    }
}

extension OtherBrokers.Other {
    fileprivate mutating func hear(
        _ record: WireFleetRecord,
        isBeat: Bool,
        isStored: Bool,
        at now: Moment
    ) -> Bool {
        // An older record does not show that the bridge lives: anybody may have sent a copy of it.
        guard (life, sequence) <= (record.life, record.sequence) else { return false }
        let isNext = record.life == life ? record.sequence == sequence &+ 1 : record.sequence == 1
        let isKnown = (life, sequence) == (record.life, record.sequence)
        (life, sequence) = (record.life, record.sequence)
        time = max(time, record.time)
        host = record.host
        guard !isStored else { return false }
        heard = now
        unheard = 0
        // A bridge that has just begun has said nothing that could have been missed.
        return isBeat ? !isKnown && record.sequence > 0 : !isNext
    }

    /// Takes what the own broker is to be told of this one, whose jobs in these slots have changed.
    fileprivate mutating func takeNews(
        of broker: UInt64,
        slots changed: Set<Int>,
        claims: PageClaims
    ) -> [WireFleetRows] {
        var empty = WireFleetRows()
        empty.broker = broker
        empty.host = host
        empty.unheard = unheard
        var removed: [WireTaskRef] = []
        var rows: [WireRow] = []
        for slot in changed.sorted() {
            let isOwned = claims.owner(ofSlot: slot) == broker
            let row = isOwned ? slots[slot]?.row : nil
            // A job that has moved was told in its new slot.
            if let former = told[slot], former != row?.task,
                !told.contains(where: { $0.key != slot && $0.value == former })
            {
                removed.append(former)
            }
            told[slot] = row?.task
            if let row { rows.append(row.shifted(by: -clock.ahead)) }
        }
        var frames = stride(from: 0, to: removed.count, by: Self.mostRemoved).map { start in
            var frame = empty
            frame.removed = Array(removed[start...].prefix(Self.mostRemoved))
            return frame
        }
        // Their bytes bound the number of rows in a frame.
        frames += rows.portions(of: ProtocolLimits.clientFrameBytes).map { portion in
            var frame = empty
            frame.rows = Array(portion)
            return frame
        }
        // A frame without rows still says whether the broker is heard.
        return frames.isEmpty ? [empty] : frames
    }

    /// Removals in one frame.
    private static var mostRemoved: Int { 200 }
}
