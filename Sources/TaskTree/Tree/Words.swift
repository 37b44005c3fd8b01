/// The rare part of what is known about one name: its texts.
struct Words: Sendable {
    /// Of what has been described.
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
