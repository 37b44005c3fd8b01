import BusProtocol

/// What a record of a fleet is about: the last part of the NATS subject that it comes under.
///
/// The stream of the bus keeps the newest record of each `pb1.BUS.slot.BROKER.SLOT` and
/// `pb1.BUS.page.PAGE`. It keeps neither `pb1.BUS.beat.BROKER` nor `pb1ask.BUS.TO.KIND.FROM`, which
/// goes to the bridge of one broker, or to all if TO is 0. BROKER, TO and FROM have 16 hexadecimal
/// digits.
package enum FleetSubject: Hashable, Sendable {
    /// The job in one slot of a broker's pages.
    case slot(Int, of: UInt64)
    /// Who has claimed a page.
    case page(Int)
    /// A sign of life of a broker's bridge.
    case beat(of: UInt64)
    case message(Kind, to: UInt64, from: UInt64)

    /// What one broker says to another one.
    package enum Kind: String, CaseIterable, Sendable {
        case question
        case answer
        /// An envelope with a frame of a session, or with an answer to one.
        case session
    }
}

/// The subjects of one bus.
package struct FleetSubjects: Sendable {
    private let prefix: String
    /// The prefix of messages of one bridge to another.
    private let askPrefix: String

    /// Makes the subjects of a bus whose name `isValid`.
    package init(bus: String) {
        prefix = "pb1.\(bus)."
        askPrefix = "pb1ask.\(bus)."
    }

    /// What the name of a bus is made of: NATS reads it as one word.
    package static let rule = "1 to 32 letters, digits, - and _"

    package static func isValid(bus: String) -> Bool {
        (1...32).contains(bus.utf8.count)
            && bus.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2d || $0 == 0x5f }
    }

    /// All subjects of the board.
    package var board: String { prefix + ">" }

    /// The subjects that a broker's bridge subscribes to.
    package func read(by broker: UInt64) -> [String] {
        [board]
            + [broker, WireFleetQuestion.allBrokers].map { "\(askPrefix)\(Self.digits(of: $0)).>" }
    }

    /// The subjects that a broker's bridge publishes to.
    package func said(by broker: UInt64) -> [String] {
        let digits = Self.digits(of: broker)
        return ["\(prefix)slot.\(digits).*", "\(prefix)beat.\(digits)", "\(prefix)page.*"]
            + FleetSubject.Kind.allCases.map { "\(askPrefix)*.\($0.rawValue).\(digits)" }
    }

    /// The subjects that the stream keeps.
    package var kept: [String] { [prefix + "slot.*.*", prefix + "page.*"] }

    package func name(_ subject: FleetSubject) -> String {
        switch subject {
        case .slot(let slot, let broker): "\(prefix)slot.\(Self.digits(of: broker)).\(slot)"
        case .page(let page): "\(prefix)page.\(page)"
        case .beat(let broker): "\(prefix)beat.\(Self.digits(of: broker))"
        case .message(let kind, let to, let from):
            "\(askPrefix)\(Self.digits(of: to)).\(kind.rawValue).\(Self.digits(of: from))"
        }
    }

    /// Reads what `name` writes; `nil` for anything else.
    package func subject(_ name: String) -> FleetSubject? {
        let subject: FleetSubject? =
            if let parts = name.words(behind: prefix) {
                Self.ofBoard(parts)
            } else if let parts = name.words(behind: askPrefix), parts.count == 3,
                let kind = FleetSubject.Kind(rawValue: String(parts[1])),
                let to = Self.broker(parts[0]), let from = Self.broker(parts[2])
            {
                .message(kind, to: to, from: from)
            } else {
                nil
            }
        return subject.flatMap { self.name($0) == name ? $0 : nil }
    }

    private static func ofBoard(_ parts: [Substring]) -> FleetSubject? {
        switch (parts.first, parts.count) {
        case ("slot", 3):
            broker(parts[1]).flatMap { broker in
                number(parts[2], in: 1...slots).map { .slot($0, of: broker) }
            }
        case ("page", 2):
            number(parts[1], in: 0...Int(ProtocolLimits.fleetPages) - 1).map { .page($0) }
        case ("beat", 2): broker(parts[1]).map { .beat(of: $0) }
        default: nil
        }
    }

    /// A broker's number as subjects contain it.
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

extension String {
    /// The words of a subject behind its beginning; `nil` where it begins otherwise.
    fileprivate func words(behind prefix: String) -> [Substring]? {
        guard hasPrefix(prefix) else { return nil }
        return dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    }
}
