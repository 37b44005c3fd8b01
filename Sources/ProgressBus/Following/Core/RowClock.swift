import BusProtocol

/// What a row says of times, in Unix seconds: durations are made from it, for whatever moment they are
/// wanted.
///
/// All are by the broker's clock, but begin and end as their owner says: no duration is below 0.
struct RowClock: Sendable {
    let begun: Double?
    let ended: Double?
    private let advanced: Double?
    /// What has ended does not grow older.
    private let end: Double?
    /// Of how many seconds the row said that the task had been active, and when, if that goes on.
    private let activeSoFar: Double
    private let activeSince: Double?

    init(_ row: RowState) {
        let progress = row.progress
        let state = TaskState(progress.state)
        begun = progress.begun.orNilUnlessPositive
        ended = progress.hasEnded ? progress.ended.orNilUnlessPositive : nil
        advanced = progress.advanced.orNilUnlessPositive ?? begun
        end = state.isEnded ? (ended ?? row.time) : nil
        activeSoFar = progress.active
        activeSince = state == .running || state == .cancelling ? row.time : nil
    }

    /// Whether its durations are the same at every moment.
    var isStill: Bool { end != nil || advanced == nil }

    func elapsed(at now: Double) -> Double? {
        begun.map { max((end ?? now) - $0, 0) }
    }

    func active(at now: Double) -> Double? {
        guard begun != nil else { return nil }
        let since = activeSince.map { max(now - $0, 0) } ?? 0
        return (activeSoFar + since).orNilUnlessUsable
    }

    func secondsSinceAdvance(at now: Double) -> Double? {
        advanced.map { max((end ?? now) - $0, 0) }
    }
}

extension TaskSnapshot {
    /// The same at another moment.
    mutating func setDurations(_ clock: RowClock, at now: Double) {
        elapsed = clock.elapsed(at: now)
        active = clock.active(at: now)
        secondsSinceAdvance = clock.secondsSinceAdvance(at: now)
    }
}
