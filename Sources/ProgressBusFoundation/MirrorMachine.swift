import ProgressBus

/// What a look at a `Progress` object means for the task that mirrors it.
///
/// It has no clock and no object: readings go in, and actions come out.
struct MirrorMachine: Sendable {
    /// What the task is to say, or do.
    enum Action: Equatable, Sendable {
        case count(ProgressUnit)
        case total(Int64?)
        case complete(Int64)
        case pause
        case resume
        /// Viewers may cancel it from now on.
        case offerCancel
        /// Viewers may pause and resume it from now on.
        case offerPause
        case succeed
        case endCancelled
        case fail(String)
    }

    /// What is known about the moment of a look.
    enum Look: Sendable {
        /// Others may be changing the object.
        case passing
        /// The caller says that the object's state is final, so `isFinished` counts at once.
        case settled
        /// Nobody holds the object any more.
        case last
    }

    /// The total of a task whose object has too few units to show the work of its children.
    static let fineUnits: Int64 = 10_000
    /// The greatest difference between the fraction and `completed / total` that is a rounding
    /// error; a greater one comes from children.
    private static let ownFractionTolerance = 1e-4

    private let givenUnit: ProgressUnit?
    /// What the object counts.
    private var ownUnit: ProgressUnit
    /// What the task says that it counts.
    private var unit: ProgressUnit
    private var total: Int64?
    private var completed: Int64 = 0
    /// Whether unfinished children have been seen to add to the fraction.
    private var isComposed = false
    private var isPaused = false
    private var offersCancel = false
    private var offersPause = false
    private var wasFinished = false
    /// The ending has been said.
    private(set) var isEnded = false

    /// Begins with a task that has no total; if `unit` is `nil`, the object says what it counts.
    init(unit: ProgressUnit?) {
        givenUnit = unit
        ownUnit = unit ?? .items
        self.unit = ownUnit
    }

    /// Takes in a reading; returns the news in the order to report it, and nothing after an ending.
    ///
    /// If an object learns of its work piece by piece, it is finished for a moment between two
    /// pieces. So a finished object counts as such after two looks in a row, or at one that is not
    /// `passing`.
    mutating func looked(_ reading: ProgressReading, _ look: Look = .passing) -> [Action] {
        guard !isEnded else { return [] }
        var actions = amounts(reading)
        if reading.isPaused != isPaused, !reading.isFinished {
            isPaused = reading.isPaused
            actions.append(isPaused ? .pause : .resume)
        }
        if reading.isCancellable, !offersCancel {
            offersCancel = true
            actions.append(.offerCancel)
        }
        if reading.isPausable, !offersPause {
            offersPause = true
            actions.append(.offerPause)
        }
        if let ending = ending(reading, look) {
            isEnded = true
            actions.append(ending)
        }
        wasFinished = reading.isFinished
        return actions
    }

    /// Ends the task of an object that is gone, whose last state is not known.
    mutating func vanished() -> [Action] {
        guard !isEnded else { return [] }
        isEnded = true
        return [wasFinished ? .succeed : .fail(Self.released)]
    }

    private static let released = "its Progress object was released before it was finished"

    private func ending(_ reading: ProgressReading, _ look: Look) -> Action? {
        if reading.isFinished { return wasFinished || look != .passing ? .succeed : nil }
        if reading.isCancelled { return .endCancelled }
        guard look == .last else { return nil }
        return reading.isEmpty ? .succeed : .fail(Self.released)
    }

    private mutating func amounts(_ reading: ProgressReading) -> [Action] {
        let (newCompleted, newTotal, isFine) = scaled(reading)
        var actions: [Action] = []
        // Ten-thousandths are not the object's unit: they have none.
        if let known = reading.unit { ownUnit = givenUnit ?? known }
        let newUnit = isFine ? ProgressUnit("") : ownUnit
        if newUnit != unit {
            unit = newUnit
            actions.append(.count(newUnit))
        }
        if newTotal != total {
            total = newTotal
            actions.append(.total(newTotal))
        }
        if newCompleted != completed {
            completed = newCompleted
            actions.append(.complete(newCompleted))
        }
        return actions
    }

    /// The amounts as a task says them, and whether they are finer than the object's own.
    private mutating func scaled(
        _ reading: ProgressReading
    ) -> (completed: Int64, total: Int64?, isFine: Bool) {
        let completed = max(0, reading.completed)
        guard reading.completed >= 0, reading.total >= 0, !reading.isEmpty else {
            return (completed, nil, false)
        }
        // Nothing to do and something done: finished, as Foundation has it.
        guard reading.total > 0 else { return (completed, completed, false) }
        guard let fraction = reading.fraction, fraction.isFinite, fraction >= 0 else {
            return (completed, reading.total, false)
        }
        let own = Double(completed) / Double(reading.total)
        if abs(fraction - own) > Self.ownFractionTolerance { isComposed = true }
        guard isComposed else { return (completed, reading.total, false) }
        let isFine = reading.total < Self.fineUnits
        let total = isFine ? Self.fineUnits : reading.total
        // Foundation's rounding may have left the fraction below 1.
        guard !reading.isFinished else { return (total, total, isFine) }
        let fine = (fraction * Double(total)).rounded()
        return (Int64(exactly: fine) ?? .max, total, isFine)
    }
}
