import TaskTree

/// How long the rest of a task takes when several children work at it side by side.
enum Parallelism {
    /// Seconds until the last child has ended.
    ///
    /// With `each` seconds of one child's work for every unit, a rest that can be divided freely
    /// takes its work over the number of children. But the last children do not end together: when
    /// nothing is left to begin, each has something between nothing and all of its own rest before
    /// it, and the task ends with the longest. For equally likely rests the longest of n exceeds
    /// their mean by (n − 1)/(n + 1) of it.
    ///
    /// `work` are the seconds for the rest if one child did it all. At least one works at it, now
    /// (`hands`) and on average (`usual`). In `lastChild` seconds the child that will take longest says
    /// it ends.
    static func secondsLeft(
        work: Double,
        load: Workload,
        hands: Double,
        usual: Double,
        lastChild: Double?
    ) -> Double {
        guard let rest = load.rest, rest > 0, load.meanShare > 0 else { return work / hands }
        // Children that do not tell how far they are have done something: (1 − v²)/2 of themselves
        // on average, by renewal theory, if v is the variation of their durations.
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
        // Who runs last when nothing is to come is known by name.
        let alone = max(lastChild, fluid)
        return max(alone, comers * together + (1 - comers) * alone)
    }
}
