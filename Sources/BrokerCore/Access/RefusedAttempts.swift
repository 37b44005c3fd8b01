package import BusProtocol

/// Counts refused attempts to connect by address: admins see them, and an address with too many of
/// them is held off.
///
/// Bounded: at ``addressLimit`` addresses, a new one replaces the one that has been quiet for
/// longest.
package struct RefusedAttempts: Sendable {
    /// How many addresses are remembered.
    package static let addressLimit = 1_024
    /// How many addresses an admin is shown.
    package static let shown = 20
    /// With this many refusals within ``window`` seconds, an address is held off until the window
    /// ends.
    package static let perWindow = 100
    package static let window: UInt64 = 10

    private struct Record {
        var count: UInt64 = 0
        var last: UInt64 = 0
        var windowBegan: UInt64 = 0
        var inWindow = 0
    }

    /// Refused attempts of all addresses since the broker began.
    package private(set) var count: UInt64 = 0
    private var records: [String: Record] = [:]

    package init() {}

    /// Counts one refused attempt.
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

    /// Whether an address has had so many refusals lately that the broker cuts its new connections.
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
