/// A number or none, without the room that an `Optional` takes beside it.
struct OptionalNumber: Sendable {
    private var number = Double.nan

    init(_ value: Double? = nil) {
        self.value = value
    }

    /// What is no number is none.
    var value: Double? {
        get { number.isNaN ? nil : number }
        set { number = newValue ?? .nan }
    }
}
