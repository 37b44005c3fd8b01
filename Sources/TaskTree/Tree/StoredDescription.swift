/// A description packed for trees of a million tasks: what is seldom said takes no room, the title
/// is in a `TextPool`, and unit and share are in the record itself.
struct StoredDescription: Equatable, Sendable {
    private struct Facts: OptionSet {
        let rawValue: UInt16

        static let ticket = Facts(rawValue: 1 << 0)
        static let background = Facts(rawValue: 1 << 1)
        static let spinner = Facts(rawValue: 1 << 2)
        static let totalIsEstimate = Facts(rawValue: 1 << 3)
        static let cancellable = Facts(rawValue: 1 << 4)
        static let pausable = Facts(rawValue: 1 << 5)
        /// Its share was given, and is that of the record.
        static let sharing = Facts(rawValue: 1 << 6)
        static let child = Facts(rawValue: 1 << 7)
        static let redeemer = Facts(rawValue: 1 << 8)
    }

    /// What few tasks say; shared, never changed.
    private final class Rare: Equatable, Sendable {
        let key: String
        let tint: String
        let consequence: String
        let expectedChildren: Int64?
        let expectedGap: Double?
        /// One that is beyond what a record holds.
        let share: Int64?

        init?(_ description: TaskDescription, share: Int64?) {
            let isEmpty =
                description.key.isEmpty && description.tint.isEmpty
                && description.consequence.isEmpty && description.expectedChildren == nil
                && description.expectedGap == nil && share == nil
            guard !isEmpty else { return nil }
            key = description.key
            tint = description.tint
            consequence = description.consequence
            expectedChildren = description.expectedChildren
            expectedGap = description.expectedGap
            self.share = share
        }

        static func == (left: Rare, right: Rare) -> Bool {
            left === right
                || left.key == right.key && left.tint == right.tint
                    && left.consequence == right.consequence
                    && left.expectedChildren == right.expectedChildren
                    && left.expectedGap == right.expectedGap && left.share == right.share
        }
    }

    private let above: TaskID
    private let rare: Rare?
    var title: TextPool.Place
    private let facts: Facts

    init(_ description: TaskDescription, title: TextPool.Place) {
        self.title = title
        var facts: Facts = []
        if description.isTicket { facts.insert(.ticket) }
        if description.isBackground { facts.insert(.background) }
        if description.style == .spinner { facts.insert(.spinner) }
        if description.totalIsEstimate { facts.insert(.totalIsEstimate) }
        if description.isCancellable { facts.insert(.cancellable) }
        if description.isPausable { facts.insert(.pausable) }
        switch description.parent {
        case .none: above = TaskID(index: 0, session: SessionID(rawValue: 0))
        case .task(let parent):
            above = parent
            facts.insert(.child)
        case .ticket(let ticket):
            above = ticket
            facts.insert(.redeemer)
        }
        let isHeld = description.share.map { FixedPoint.share($0) == $0 } ?? false
        if isHeld { facts.insert(.sharing) }
        self.facts = facts
        rare = Rare(description, share: isHeld ? nil : description.share)
    }

    var parent: ParentLink {
        if facts.contains(.child) { return .task(above) }
        return facts.contains(.redeemer) ? .ticket(above) : .none
    }

    var expectedChildren: Int64 { rare?.expectedChildren ?? 0 }
    var expectedGap: Double? { rare?.expectedGap }

    /// The description as it was stated, with what is kept elsewhere.
    func description(title: String, unit: String, share: Int64) -> TaskDescription {
        var description = TaskDescription(parent: parent, title: title)
        description.isTicket = facts.contains(.ticket)
        description.unit = unit
        description.share = facts.contains(.sharing) ? share : rare?.share
        description.style = facts.contains(.spinner) ? .spinner : .bar
        description.isBackground = facts.contains(.background)
        description.totalIsEstimate = facts.contains(.totalIsEstimate)
        description.isCancellable = facts.contains(.cancellable)
        description.isPausable = facts.contains(.pausable)
        guard let rare else { return description }
        description.key = rare.key
        description.expectedChildren = rare.expectedChildren
        description.tint = rare.tint
        description.consequence = rare.consequence
        description.expectedGap = rare.expectedGap
        return description
    }
}
