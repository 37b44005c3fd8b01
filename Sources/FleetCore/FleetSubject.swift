import BusProtocol

/// What a record of a fleet is about: the last part of the NATS subject that it comes under.
///
/// `pb1.BUS.slot.BROKER.SLOT` and `pb1.BUS.page.PAGE` are kept by the stream of the bus, the newest
/// of each; `pb1.BUS.beat.BROKER` is not. Nor are `pb1ask.BUS.TO.question.FROM` and
/// `pb1ask.BUS.TO.answer.FROM`, which go to one bridge alone. BROKER, TO and FROM have 16 hexadecimal
/// digits.
package enum FleetSubject: Hashable, Sendable {
    /// The job in one slot of a broker's pages.
    case slot(Int, of: UInt64)
    /// Who has claimed a page.
    case page(Int)
    /// That a broker's bridge is there.
    case beat(of: UInt64)
    case question(to: UInt64, from: UInt64)
    case answer(to: UInt64, from: UInt64)
    /// What a session of one broker says to another one, or is answered.
    case session(to: UInt64, from: UInt64)

    /// In place of the broker that is asked.
    static let allBrokers: UInt64 = 0
}

/// The subjects of one bus.
package struct FleetSubjects: Sendable {
    private let prefix: String
    /// Of what one bridge asks another.
    private let askPrefix: String

    /// For a name that `isValid`.
    package init(bus: String) {
        prefix = "pb1.\(bus)."
        askPrefix = "pb1ask.\(bus)."
    }

    /// What the names of buses are made of: nothing that NATS reads as more than one word.
    package static let rule = "1 to 32 letters, digits, - and _"

    package static func isValid(bus: String) -> Bool {
        (1...32).contains(bus.utf8.count)
            && bus.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2d || $0 == 0x5f }
    }

    /// All subjects of the board.
    package var board: String { prefix + ">" }
    /// What a broker's bridge reads.
    package func read(by broker: UInt64) -> [String] {
        [broker, FleetSubject.allBrokers].reduce(into: [board]) {
            $0.append("\(askPrefix)\(Self.digits(of: $1)).>")
        }
    }
    /// What a broker's bridge says something under.
    package func said(by broker: UInt64) -> [String] {
        let digits = Self.digits(of: broker)
        return [
            "\(prefix)slot.\(digits).*", "\(prefix)beat.\(digits)", "\(prefix)page.*",
            "\(askPrefix)*.question.\(digits)", "\(askPrefix)*.answer.\(digits)",
            "\(askPrefix)*.session.\(digits)",
        ]
    }

    /// Those that are kept.
    package var kept: [String] { [prefix + "slot.*.*", prefix + "page.*"] }

    package func name(_ subject: FleetSubject) -> String {
        switch subject {
        case .slot(let slot, let broker): "\(prefix)slot.\(Self.digits(of: broker)).\(slot)"
        case .page(let page): "\(prefix)page.\(page)"
        case .beat(let broker): "\(prefix)beat.\(Self.digits(of: broker))"
        case .question(let to, let from): name("question", to, from)
        case .answer(let to, let from): name("answer", to, from)
        case .session(let to, let from): name("session", to, from)
        }
    }

    private func name(_ kind: String, _ to: UInt64, _ from: UInt64) -> String {
        "\(askPrefix)\(Self.digits(of: to)).\(kind).\(Self.digits(of: from))"
    }

    /// Reads what `name` writes; `nil` for anything else.
    package func subject(_ name: String) -> FleetSubject? {
        let subject: FleetSubject? =
            if let parts = name.words(behind: prefix) {
                Self.ofBoard(parts)
            } else if let parts = name.words(behind: askPrefix), parts.count == 3,
                let to = Self.broker(parts[0]), let from = Self.broker(parts[2])
            {
                switch parts[1] {
                case "question": .question(to: to, from: from)
                case "answer": .answer(to: to, from: from)
                case "session": .session(to: to, from: from)
                default: nil
                }
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

extension String {
    /// The words of a subject behind its beginning; `nil` where it begins otherwise.
    fileprivate func words(behind prefix: String) -> [Substring]? {
        guard hasPrefix(prefix) else { return nil }
        return dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    }
}
