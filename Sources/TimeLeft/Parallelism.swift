import TaskTree

/// How long the rest of a task takes when several children work at it side by side.
enum Parallelism {
    /// Seconds until the last child has ended.
    ///
    /// A rest that can be divided freely takes its work over the number of children. But the last
    /// children do not end together: when nothing is left to begin, each has something between
    /// nothing and all of its own work left, and the task ends with the longest. Of n equally
    /// likely rests the longest exceeds their mean by (n − 1)/(n + 1) of it.
    ///
    /// `work` is the seconds for the rest if one child did it all. `hands` is how many workers are
    /// at it now, and `usual` how many on average, both at least 1. `lastChild` is the seconds
    /// until the child that takes longest ends, by its own estimate.
    static func secondsLeft(
        work: Double,
        load: Workload,
        hands: Double,
        usual: Double,
        lastChild: Double?
    ) -> Double {
        guard let rest = load.rest, rest > 0, load.meanShare > 0 else { return work / hands }
        // Children whose fraction is unknown have done (1 − v²)/2 of themselves on average, by
        // renewal theory, if v is the variation of their durations.
        let unseen = min(Double(load.mute) / 3, rest)
        let each = work / rest * load.done / max(load.done + unseen, 1e-9)
        let remaining = rest - unseen
        let underWay = min(remaining, max(0, Double(load.underWay) - unseen))
        let share = Double(load.meanShare)
        let toCome = (remaining - underWay) / share
        let beside = Double(load.beside(Float(hands)))
        guard beside > 1 else {
            // One child after the other: the next ones will have as many hands as those before.
            let first = lastChild ?? each * underWay / (toCome < 1 ? hands : usual)
            return first + each * (remaining - underWay) / usual
        }
        let side = max(hands, usual)
        let comers = min(1, toCome / side)
        let fluid = each * remaining / (comers * side + (1 - comers) * hands)
        let lastMean = comers * each * share / 2 + (1 - comers) * each * underWay / beside
        let together = fluid + (beside - 1) / (beside + 1) * lastMean
        guard let lastChild else { return together }
        // When nothing is left to begin, the child that ends last is known by its own estimate.
        let alone = max(lastChild, fluid)
        return max(alone, comers * together + (1 - comers) * alone)
    }
}
