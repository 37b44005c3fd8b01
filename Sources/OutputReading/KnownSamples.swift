/// What is known of every part, and what of it nobody has been told yet.
///
/// Here it is seen to that nothing runs backwards and nothing grows without a bound, whatever an
/// adapter has read: an amount that falls is ignored; a part that begins again after its end, or at
/// nought, is another part with a number behind its name; after a thousand parts no more begin.
struct KnownSamples {
    static let mostParts = 1_000
    static let longestText = 200

    private var parts: [String?: Part] = [:]
    /// The names of parts that began again: what the newest is called.
    private var newestNames: [String: String] = [:]
    /// Parts with something new, in the order in which that came up.
    private var changed: [String?] = []

    private struct Part {
        var known: ProgressSample
        /// What is new in it, with everything else `nil`.
        var news: ProgressSample?
        var restarts = 0
    }

    mutating func take(_ found: ProgressSample) {
        let sample = tidied(found)
        guard let place = place(for: sample) else { return }
        var part = parts[place] ?? Part(known: ProgressSample(part: place))
        let isNew = parts[place] == nil
        guard !part.known.isDone else { return }
        let news = part.known.merge(sample)
        if isNew || news.saysSomething {
            if part.news == nil { changed.append(place) }
            var all = part.news ?? ProgressSample(part: place)
            all.add(news)
            part.news = all
        }
        parts[place] = part
    }

    /// The news, which are then told.
    mutating func tell() -> [ProgressSample] {
        let news = changed.compactMap { place in
            let news = parts[place]?.news
            parts[place]?.news = nil
            return news
        }
        changed.removeAll(keepingCapacity: true)
        return news
    }

    /// Which part this is about: by its name, or the one that has taken the name over.
    private mutating func place(for sample: ProgressSample) -> String?? {
        guard let name = sample.part else { return .some(nil) }
        let newest = newestNames[name] ?? name
        guard let part = parts[newest] else {
            return parts.count < Self.mostParts ? newest : nil
        }
        guard let completed = sample.completed, let before = part.known.completed,
            completed < before, completed == 0 || part.known.isDone
        else { return newest }
        guard parts.count < Self.mostParts, let restarts = parts[name]?.restarts else {
            return nil
        }
        // The bar that went back to nought has been left.
        if !part.known.isDone {
            var end = ProgressSample(part: newest)
            end.isDone = true
            take(end)
        }
        let next = "\(name) (\(restarts + 2))"
        parts[name]?.restarts += 1
        newestNames[name] = next
        return next
    }

    private func tidied(_ sample: ProgressSample) -> ProgressSample {
        var sample = sample
        sample.part = sample.part.map(Self.shortened).flatMap { $0.isEmpty ? nil : $0 }
        sample.detail = sample.detail.map(Self.shortened)
        sample.unit = sample.unit.map(Self.shortened)
        if let completed = sample.completed, completed < 0 { sample.completed = nil }
        if let total = sample.total, total <= 0 { sample.total = nil }
        if let parts = sample.expectedParts, parts < 1 { sample.expectedParts = nil }
        // The command's end is its exit status.
        if sample.part == nil { sample.isDone = false }
        return sample
    }

    private static func shortened(_ text: String) -> String {
        var text = text[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text.utf8.count <= longestText
            ? String(text) : String(text.unicodeScalars.prefix(longestText / 4))
    }
}

extension ProgressSample {
    /// Takes over what another one says; gives what was new in it.
    fileprivate mutating func merge(_ other: ProgressSample) -> ProgressSample {
        var news = ProgressSample(part: part)
        if other.isUnknown, completed != nil || total != nil {
            (completed, total, unit, totalIsEstimate) = (nil, nil, nil, false)
            news.isUnknown = true
        }
        let sameUnit = other.unit == nil || unit == nil || other.unit == unit
        let falls = sameUnit && (other.completed ?? .max) < (completed ?? 0)
        if !falls {
            let all = other.total ?? (sameUnit ? total : nil)
            let done = other.completed.map { min($0, all ?? $0) }
            if let done, done != completed {
                completed = done
                news.completed = done
            }
            if let all = other.total, all >= completed ?? 0,
                all != total || other.totalIsEstimate != totalIsEstimate
            {
                total = all
                totalIsEstimate = other.totalIsEstimate
                news.total = all
                news.totalIsEstimate = totalIsEstimate
            }
            if let other = other.unit, other != unit {
                unit = other
                news.unit = other
                // A new unit says everything anew.
                news.completed = completed
            }
        }
        if let other = other.detail, other != detail {
            detail = other
            news.detail = other
        }
        if let other = other.expectedParts, other != expectedParts {
            expectedParts = other
            news.expectedParts = other
        }
        if other.isDone, !isDone {
            isDone = true
            news.isDone = true
        }
        return news
    }

    /// Puts later news upon earlier ones.
    fileprivate mutating func add(_ later: ProgressSample) {
        if later.isUnknown {
            (completed, total, unit, totalIsEstimate, isUnknown) = (nil, nil, nil, false, true)
        }
        completed = later.completed ?? completed
        if let all = later.total {
            total = all
            totalIsEstimate = later.totalIsEstimate
        }
        unit = later.unit ?? unit
        detail = later.detail ?? detail
        expectedParts = later.expectedParts ?? expectedParts
        isDone = isDone || later.isDone
    }

    fileprivate var saysSomething: Bool {
        completed != nil || total != nil || unit != nil || detail != nil || expectedParts != nil
            || isDone || isUnknown
    }
}
