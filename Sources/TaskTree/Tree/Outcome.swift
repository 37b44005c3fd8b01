/// Why a task is in its state; says which reason to show.
enum Cause {
    case word, conclusion, parentEnded
}

/// The state of one task, and what follows from it.
struct Outcome {
    var state: TaskState
    var cause = Cause.word
    /// Its owner has stated success, but children are unfinished.
    var awaitsChildren = false
    var isSilent = false
    var isStalled = false
    var needsAttention = false

    var isAlarm: Bool { isSilent || isStalled }
}

/// A fraction before it is divided: the numerator in units of 2⁻⁵⁰.
struct Ratio {
    var numerator: Int128
    var denominator: Int128
    var isIndeterminate = false

    static let zero = Ratio(numerator: 0, denominator: 1)
    static let one = Ratio(numerator: Int128(FixedPoint.one), denominator: 1)
}
