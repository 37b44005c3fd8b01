/// Yes-or-no facts of a description.
struct DescribedFacts: OptionSet, Sendable {
    let rawValue: UInt16

    static let ticket = DescribedFacts(rawValue: 1 << 0)
    static let background = DescribedFacts(rawValue: 1 << 1)
    static let spinner = DescribedFacts(rawValue: 1 << 2)
    static let totalIsEstimate = DescribedFacts(rawValue: 1 << 3)
    static let cancellable = DescribedFacts(rawValue: 1 << 4)
    static let pausable = DescribedFacts(rawValue: 1 << 5)
    /// Its share was given, and is that of the record.
    static let sharing = DescribedFacts(rawValue: 1 << 6)
    static let child = DescribedFacts(rawValue: 1 << 7)
    static let redeemer = DescribedFacts(rawValue: 1 << 8)
    /// There is a description.
    static let given = DescribedFacts(rawValue: 1 << 9)
}

/// What few tasks say in their descriptions; shared, never changed.
final class SeldomDescribed: Equatable, Sendable {
    let key: String
    let tint: String
    let consequence: String
    let expectedChildren: Int64?
    let expectedGap: Double?
    /// One that is beyond what a record holds.
    let share: Int64?
    /// Its parent or ticket, if that is another session's.
    let above: TaskID?

    init?(_ description: TaskDescription, share: Int64?, above: TaskID?) {
        let isEmpty =
            description.key.isEmpty && description.tint.isEmpty
            && description.consequence.isEmpty && description.expectedChildren == nil
            && description.expectedGap == nil && share == nil && above == nil
        guard !isEmpty else { return nil }
        key = description.key
        tint = description.tint
        consequence = description.consequence
        expectedChildren = description.expectedChildren
        expectedGap = description.expectedGap
        self.share = share
        self.above = above
    }

    static func == (left: SeldomDescribed, right: SeldomDescribed) -> Bool {
        left === right
            || left.key == right.key && left.tint == right.tint
                && left.consequence == right.consequence
                && left.expectedChildren == right.expectedChildren
                && left.expectedGap == right.expectedGap && left.share == right.share
                && left.above == right.above
    }
}

/// A description packed for trees of a million tasks: what is seldom said takes no room, the title
/// is in a `TextPool`, and unit and share are in the record itself.
struct StoredDescription: Equatable, Sendable {
    let seldom: SeldomDescribed?
    /// That of its parent or ticket, which is of the same session; 0 if it is elsewhere.
    let parentIndex: UInt32
    var title: TextPool.Place
    let facts: DescribedFacts
    let begun: Double
}

extension StoredDescription {
    /// Packs what a session has said of one of its tasks.
    init(_ description: TaskDescription, of session: SessionID, title: TextPool.Place) {
        self.title = title
        var facts: DescribedFacts = .given
        if description.isTicket { facts.insert(.ticket) }
        if description.isBackground { facts.insert(.background) }
        if description.style == .spinner { facts.insert(.spinner) }
        if description.totalIsEstimate { facts.insert(.totalIsEstimate) }
        if description.isCancellable { facts.insert(.cancellable) }
        if description.isPausable { facts.insert(.pausable) }
        var above: TaskID?
        switch description.parent {
        case .none: break
        case .task(let parent):
            above = parent
            facts.insert(.child)
        case .ticket(let ticket):
            above = ticket
            facts.insert(.redeemer)
        }
        if let near = above, near.session == session, let index = UInt32(exactly: near.index) {
            parentIndex = index
            above = nil
        } else {
            parentIndex = 0
        }
        let isHeld = description.share.map { FixedPoint.share($0) == $0 } ?? false
        if isHeld { facts.insert(.sharing) }
        self.facts = facts
        begun = description.begun
        seldom = SeldomDescribed(
            description,
            share: isHeld ? nil : description.share,
            above: above
        )
    }

    /// Where the task of this session hangs.
    func parent(of session: SessionID) -> ParentLink {
        let above =
            seldom?.above ?? TaskID(index: UInt64(parentIndex), session: session)
        if facts.contains(.child) { return .task(above) }
        return facts.contains(.redeemer) ? .ticket(above) : .none
    }

    /// The description as this session stated it, with what is kept elsewhere.
    func description(
        of session: SessionID,
        title: String,
        unit: String,
        share: Int64
    ) -> TaskDescription {
        var description = TaskDescription(parent: parent(of: session), title: title)
        description.isTicket = facts.contains(.ticket)
        description.unit = unit
        description.share = facts.contains(.sharing) ? share : seldom?.share
        description.style = facts.contains(.spinner) ? .spinner : .bar
        description.isBackground = facts.contains(.background)
        description.totalIsEstimate = facts.contains(.totalIsEstimate)
        description.isCancellable = facts.contains(.cancellable)
        description.isPausable = facts.contains(.pausable)
        description.begun = begun
        guard let seldom else { return description }
        description.key = seldom.key
        description.expectedChildren = seldom.expectedChildren
        description.tint = seldom.tint
        description.consequence = seldom.consequence
        description.expectedGap = seldom.expectedGap
        return description
    }
}
