/// Finds the percentages and counts in a program's output that rise.
///
/// Ordinary output is full of numbers: dates, versions, `100% cotton`, `Copyright 2015/2016`. So a
/// number is followed only if the same words come before it, line after line, if it was near its
/// beginning at first, and if it has risen twice at different times; once is enough in a line that
/// is drawn over. A number that falls without having been near its end is no progress any more.
///
/// If a count tells the step of a program, and another number how far that step is, both become one
/// percentage: `Pass 2/3: 50%`, or `Epoch 2/3` and lines with `12/469` below it.
struct RisingNumbers {
    /// The number seen in one place of the lines.
    private struct Place {
        var key: Int
        var label: String
        var first: NumberSight
        var last: NumberSight
        /// The lines in which it was first and last seen, and the tick in which it last rose or was
        /// first seen.
        var firstLine: Int
        var lastLine: Int
        var lastTick: Int
        var rises = 0
        /// Whether it has risen often enough to be progress.
        var isProgress = false
        /// Whether it has fallen as no progress does.
        var isMetric = false
        /// The key of the count of steps, if this number tells how far each step is.
        var steps: Int?
        /// For a count of steps, how far all steps are, in hundredths of a percent.
        var reached: Int64?

        var isFromZero: Bool { first.completed == 0 }
    }

    private enum Change {
        case none, rise, restart, fall
    }

    private static let mostPlaces = 16
    private static let neededRises = 2
    /// Falls by less than this are roundings, or a total that has grown.
    private static let jitter = 0.02

    /// The oldest first.
    private var places: [Place] = []
    private var line = 0
    private var ticks = 0

    mutating func tick() { ticks += 1 }

    mutating func read(_ text: OutputLine) -> [Claim] {
        line += 1
        let sights = NumberSight.all(in: text)
        var changes: [(key: Int, change: Change)] = []
        for (number, sight) in sights.enumerated() {
            let key = sight.key(in: text, number: number)
            let change = note(
                sight,
                key,
                label: sight.label(in: text),
                drawnOver: text.ending != .newline
            )
            changes.append((key, change))
        }
        let count = zip(sights, changes).first { $0.0.isCount }?.1.key
        return changes.reversed().compactMap { key, change in
            guard let index = places.firstIndex(where: { $0.key == key }) else { return nil }
            return claim(of: index, change, beside: count == key ? nil : count)
        }
    }

    /// The claim that a change of a place makes, if any.
    private mutating func claim(of index: Int, _ change: Change, beside count: Int?) -> Claim? {
        if change == .rise { relate(index, beside: count) }
        let place = places[index]
        if change == .fall, place.isProgress {
            places[index].isProgress = false
            return Claim(source: .place(place.key), name: place.label, sample: .unknown)
        }
        guard place.isProgress, place.reached == nil, change == .rise || change == .restart
        else { return nil }
        if let steps = place.steps { return claim(of: place, within: steps) }
        // A count says the same as a percentage beside it, and more.
        guard count == nil else { return nil }
        return Claim(source: .place(place.key), name: place.label, sample: place.last.sample)
    }

    private mutating func claim(of place: Place, within steps: Int) -> Claim? {
        guard let index = places.firstIndex(where: { $0.key == steps }) else { return nil }
        let count = places[index]
        // A count that has not risen yet may be of anything, unless it names steps or is in the
        // same line.
        guard count.rises > 0 || StepWords.end(count.label) || place.lastLine == count.lastLine
        else { return nil }
        let done = Double(count.last.completed - (count.isFromZero ? 0 : 1)) + place.last.fraction
        let percent = Int64(done / Double(count.last.total) * 10_000)
        guard percent > count.reached ?? -1 else { return nil }
        places[index].reached = percent
        var sample = ProgressSample.percent(percent)
        // The count may have been taken for that of the whole command.
        sample.isUnknown = count.reached == nil
        let words = "\(count.label) \(count.last.completed)/\(count.last.total)"
        return Claim(source: .place(steps), name: count.label, sample: sample.with(detail: words))
    }

    /// Finds the count of steps for a number that tells how far each step is.
    private mutating func relate(_ index: Int, beside other: Int?) {
        let place = places[index]
        guard place.steps == nil, place.reached == nil else { return }
        if let other {
            // `Pass 1/3: 60%` cannot be a percentage of all; `40/100 41%` says the same twice.
            guard let count = places.first(where: { $0.key == other }) else { return }
            let (done, total) = (Double(count.last.completed), Double(count.last.total))
            let steps = place.last.fraction * total
            // Both are rounded, and a step that is begun may be counted.
            let slack = 0.2 + 0.02 * total
            if steps > done + slack + (count.isFromZero ? 1 : 0) || steps < done - slack - 1 {
                places[index].steps = other
            }
        } else if place.isProgress {
            // The count is in a line of its own, and began with the first step before this number
            // came up.
            places[index].steps =
                places.last {
                    $0.last.isCount && !$0.isMetric && !$0.label.isEmpty && $0.key != place.key
                        && $0.lastLine < place.firstLine && $0.first.completed <= 1
                        && $0.steps == nil
                        && $0.last.completed < $0.last.total
                }?.key
        }
    }

    /// Takes a number in; the text of open lines comes again, so the same number says nothing.
    private mutating func note(
        _ sight: NumberSight,
        _ key: Int,
        label: String,
        drawnOver isDrawnOver: Bool
    ) -> Change {
        guard let index = places.firstIndex(where: { $0.key == key }) else {
            // The oldest place without progress goes, or else the oldest; progress soon comes back.
            if places.count == Self.mostPlaces {
                places.remove(at: places.firstIndex { !$0.isProgress } ?? 0)
            }
            places.append(
                Place(
                    key: key,
                    label: label,
                    first: sight,
                    last: sight,
                    firstLine: line,
                    lastLine: line,
                    lastTick: ticks
                )
            )
            return .none
        }
        var place = places[index]
        defer { places[index] = place }
        place.lastLine = line
        guard !place.isMetric else { return .none }
        let isSameTotal = sight.total == place.last.total
        if isSameTotal, sight.completed == place.last.completed { return .none }
        if isSameTotal, sight.completed > place.last.completed {
            place.last = sight
            // Numbers that are printed in one tick are a table.
            if ticks != place.lastTick { place.rises += 1 }
            place.lastTick = ticks
            let needed = isDrawnOver ? 1 : Self.neededRises
            let isVisible = sight.isCount || sight.completed - place.first.completed >= 100
            if place.rises >= needed, place.first.isNearBeginning, isVisible {
                place.isProgress = true
            }
            return .rise
        }
        let before = place.last.fraction
        // A step of several begins anew with the next one, perhaps with another total.
        let beginsAgain = sight.completed <= 1 || sight.fraction <= 0.2
        if place.steps != nil || beginsAgain && before >= (place.isProgress ? 0.5 : 0.9) {
            place.last = sight
            return .restart
        }
        if !isSameTotal, !place.isProgress {
            // Another total is another count.
            (place.first, place.last, place.rises) = (sight, sight, 0)
            return .none
        }
        if before - sight.fraction <= Self.jitter {
            if !isSameTotal { place.last = sight }
            return isSameTotal ? .none : .rise
        }
        place.isMetric = true
        return .fall
    }
}
