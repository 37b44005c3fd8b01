/// The rare part of what is known about one name: its texts.
struct Words: Sendable {
    var description: StoredDescription?
    private var said = Apart<Sayings>()

    /// What few of very many tasks have at a time.
    private struct Sayings {
        var detail = ""
        var reason = ""
        var conclusionReason = ""
    }

    var detail: String {
        get { said.read(\.detail) ?? "" }
        set { say(\.detail, newValue) }
    }

    /// Given with the last stated ending.
    var reason: String {
        get { said.read(\.reason) ?? "" }
        set { say(\.reason, newValue) }
    }

    /// Given with the broker's conclusion.
    var conclusionReason: String {
        get { said.read(\.conclusionReason) ?? "" }
        set { say(\.conclusionReason, newValue) }
    }

    private mutating func say(_ field: WritableKeyPath<Sayings, String>, _ text: String) {
        guard !said.isEmpty || !text.isEmpty else { return }
        said.change(from: Sayings()) { $0[keyPath: field] = text }
    }
}

/// A description packed for trees of a million tasks: what is seldom said takes no room.
struct StoredDescription: Equatable, Sendable {
    var parent: ParentLink
    var title: String
    var unit: Slot
    private var givenShare: Int64?
    private let isTicket: Bool
    let isBackground: Bool
    private var style: TaskStyle
    private var rare: Rare?

    /// What few tasks say; shared, never changed.
    private final class Rare: Equatable, Sendable {
        let key: String
        let tint: String
        let consequence: String
        let expectedChildren: Int64?
        let expectedGap: Double?
        let totalIsEstimate: Bool
        let isCancellable: Bool
        let isPausable: Bool

        init?(_ description: TaskDescription) {
            let isEmpty =
                description.key.isEmpty && description.tint.isEmpty
                && description.consequence.isEmpty && description.expectedChildren == nil
                && description.expectedGap == nil && !description.totalIsEstimate
                && !description.isCancellable && !description.isPausable
            guard !isEmpty else { return nil }
            key = description.key
            tint = description.tint
            consequence = description.consequence
            expectedChildren = description.expectedChildren
            expectedGap = description.expectedGap
            totalIsEstimate = description.totalIsEstimate
            isCancellable = description.isCancellable
            isPausable = description.isPausable
        }

        static func == (left: Rare, right: Rare) -> Bool {
            left === right
                || left.key == right.key && left.tint == right.tint
                    && left.consequence == right.consequence
                    && left.expectedChildren == right.expectedChildren
                    && left.expectedGap == right.expectedGap
                    && left.totalIsEstimate == right.totalIsEstimate
                    && left.isCancellable == right.isCancellable
                    && left.isPausable == right.isPausable
        }
    }

    init(_ description: TaskDescription, unit: Slot) {
        parent = description.parent
        title = description.title
        self.unit = unit
        givenShare = description.share
        isTicket = description.isTicket
        isBackground = description.isBackground
        style = description.style
        rare = Rare(description)
    }

    var effectiveShare: Int64 { givenShare ?? (isBackground ? 0 : 1) }
    var expectedChildren: Int64 { rare?.expectedChildren ?? 0 }
    var expectedGap: Double? { rare?.expectedGap }

    /// The description as it was stated.
    func description(unit: String) -> TaskDescription {
        var description = TaskDescription(parent: parent, title: title)
        description.isTicket = isTicket
        description.unit = unit
        description.share = givenShare
        description.style = style
        description.isBackground = isBackground
        guard let rare else { return description }
        description.key = rare.key
        description.expectedChildren = rare.expectedChildren
        description.totalIsEstimate = rare.totalIsEstimate
        description.tint = rare.tint
        description.isCancellable = rare.isCancellable
        description.isPausable = rare.isPausable
        description.consequence = rare.consequence
        description.expectedGap = rare.expectedGap
        return description
    }
}
