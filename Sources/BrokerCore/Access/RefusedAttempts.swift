package import BusProtocol

/// Attempts to connect that were refused, by address; for admins, and to slow down whoever tries
/// again and again.
///
/// Bounded: of too many addresses the one that has been quiet for longest is forgotten.
package struct RefusedAttempts: Sendable {
    /// How many addresses are remembered.
    package static let addressLimit = 1_024
    /// How many of them admins are told.
    package static let shown = 20
    /// Refusals that an address may have within ``window`` seconds; with more it is held off until
    /// it is over.
    package static let perWindow = 100
    package static let window: UInt64 = 10

    private struct Record {
        var count: UInt64 = 0
        var last: UInt64 = 0
        var windowBegan: UInt64 = 0
        var inWindow = 0
    }

    /// In all, since the broker began.
    package private(set) var count: UInt64 = 0
    private var records: [String: Record] = [:]

    package init() {}

    /// One more.
    package mutating func add(_ address: String, at now: UInt64) {
        count += 1
        if records[address] == nil, records.count >= Self.addressLimit,
            let oldest = records.min(by: { $0.value.last < $1.value.last })
        {
            records[oldest.key] = nil
        }
        var record = records[address] ?? Record()
        if now >= record.windowBegan + Self.window || now < record.windowBegan {
            record.windowBegan = now
            record.inWindow = 0
        }
        record.count += 1
        record.inWindow += 1
        record.last = now
        records[address] = record
    }

    /// Whether an address has been refused so often lately that it is not even listened to.
    package func holdsOff(_ address: String, at now: UInt64) -> Bool {
        guard let record = records[address], now >= record.windowBegan else { return false }
        return now < record.windowBegan + Self.window && record.inWindow >= Self.perWindow
    }

    /// How many addresses are remembered now.
    var tableSize: Int { records.count }

    /// The addresses with the most refusals, the most first.
    package var most: [WireRefusedAddress] {
        records.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(Self.shown)
            .map {
                var address = WireRefusedAddress()
                address.address = $0
                address.count = $1.count
                address.last = $1.last
                return address
            }
    }
}
