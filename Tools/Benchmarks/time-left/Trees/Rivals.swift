/// How others tell the time left: from one rate of the whole job's fraction.
enum Rival: CaseIterable {
    /// Elapsed time times what is left over what is done: pv, curl, enlighten, mpb.
    case average
    /// mpb's moving average over about 30 reports, the best peer in the measure of single tasks.
    case moving

    /// What it says at each of the sights; `nil` where it would show nothing.
    func estimates(_ sights: [Play.Sight]) -> [Double?] {
        switch self {
        case .average:
            return sights.map { $0.fraction > 0 ? $0.time * (1 - $0.fraction) / $0.fraction : nil }
        case .moving:
            return moving(sights)
        }
    }

    private func moving(_ sights: [Play.Sight]) -> [Double?] {
        let weight = 2.0 / 31
        var perUnit: Double?
        var last = (time: 0.0, fraction: 0.0)
        return sights.map { sight in
            if sight.fraction > last.fraction {
                let sample = (sight.time - last.time) / (sight.fraction - last.fraction)
                perUnit = perUnit.map { $0 + weight * (sample - $0) } ?? sample
                last = (sight.time, sight.fraction)
            }
            return perUnit.map { $0 * (1 - sight.fraction) }
        }
    }
}
