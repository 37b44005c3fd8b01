import BusProtocol

/// What a record of a fleet is about: the last part of the NATS subject that it comes under.
///
/// `pb1.BUS.slot.BROKER.SLOT` and `pb1.BUS.page.PAGE` are kept by the stream of the bus, the newest
/// of each; `pb1.BUS.beat.BROKER` is not. BROKER has 16 hexadecimal digits.
package enum FleetSubject: Hashable, Sendable {
    /// The job in one slot of a broker's pages.
    case slot(Int, of: UInt64)
    /// Who has claimed a page.
    case page(Int)
    /// That a broker's bridge is there.
    case beat(of: UInt64)
}

/// The subjects of one bus.
package struct FleetSubjects: Sendable {
    private let prefix: String

    /// For a name that `isValid`.
    package init(bus: String) {
        prefix = "pb1.\(bus)."
    }

    /// What the names of buses are made of: nothing that NATS reads as more than one word.
    package static let rule = "1 to 32 letters, digits, - and _"

    package static func isValid(bus: String) -> Bool {
        (1...32).contains(bus.utf8.count)
            && bus.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2d || $0 == 0x5f }
    }

    /// All subjects of the bus.
    package var all: String { prefix + ">" }
    /// What a broker's bridge says something under.
    package func said(by broker: UInt64) -> [String] {
        let digits = Self.digits(of: broker)
        return ["\(prefix)slot.\(digits).*", "\(prefix)beat.\(digits)", "\(prefix)page.*"]
    }

    /// Those that are kept.
    package var kept: [String] { [prefix + "slot.*.*", prefix + "page.*"] }

    package func name(_ subject: FleetSubject) -> String {
        switch subject {
        case .slot(let slot, let broker): "\(prefix)slot.\(Self.digits(of: broker)).\(slot)"
        case .page(let page): "\(prefix)page.\(page)"
        case .beat(let broker): "\(prefix)beat.\(Self.digits(of: broker))"
        }
    }

    /// Reads what `name` writes; `nil` for anything else.
    package func subject(_ name: String) -> FleetSubject? {
        guard name.hasPrefix(prefix) else { return nil }
        let parts = name.dropFirst(prefix.count).split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        let subject: FleetSubject? =
            switch (parts.first, parts.count) {
            case ("slot", 3):
                Self.broker(parts[1]).flatMap { broker in
                    Self.number(parts[2], in: 1...Self.slots).map { .slot($0, of: broker) }
                }
            case ("page", 2):
                Self.number(parts[1], in: 0...Int(ProtocolLimits.fleetPages) - 1).map { .page($0) }
            case ("beat", 2): Self.broker(parts[1]).map { .beat(of: $0) }
            default: nil
            }
        return subject.flatMap { self.name($0) == name ? $0 : nil }
    }

    /// A broker's number as subjects have it.
    package static func digits(of broker: UInt64) -> String {
        let digits = String(broker, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let slots = Int(ProtocolLimits.fleetPages) * ProtocolLimits.boardSlots

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func broker(_ text: Substring) -> UInt64? {
        text.count == 16 ? UInt64(text, radix: 16) : nil
    }
}
