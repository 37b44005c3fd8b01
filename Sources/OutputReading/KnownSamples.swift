/// The newest sample of every part, and which of its values have not been reported yet.
///
/// Whatever an adapter has read, nothing runs backwards here and nothing grows without a bound: an
/// amount that falls is ignored; a part that begins again after its end, or at 0, becomes another
/// part with a number behind its name; after 1,000 parts no more begin.
struct KnownSamples {
    static let mostParts = 1_000
    static let longestText = 200

    private var parts: [String?: Part] = [:]
    /// For each part that began again, the name of the newest one.
    private var newestNames: [String: String] = [:]
    /// The parts with news to report, in the order in which the news came up.
    private var changed: [String?] = []

    private struct Part {
        var known: ProgressSample
        /// The sample as it was last reported; `nil` before the first report.
        var told: ProgressSample?
        var isChanged = false
        var restarts = 0
    }

    mutating func take(_ found: ProgressSample) {
        let sample = tidied(found)
        guard let place = place(for: sample) else { return }
        var part = parts[place] ?? Part(known: ProgressSample(part: place))
        guard !part.known.isDone else { return }
        part.known.merge(sample)
        if !part.isChanged, part.known != part.told {
            part.isChanged = true
            changed.append(place)
        }
        parts[place] = part
    }

    /// Returns the news of all parts, and marks them as reported.
    mutating func tell() -> [ProgressSample] {
        defer { changed.removeAll(keepingCapacity: true) }
        return changed.compactMap { place in
            guard var part = parts[place] else { return nil }
            let nothing = ProgressSample(part: place)
            let news = part.known.news(since: part.told ?? nothing)
            let isSaid = part.told == nil || news != nothing
            part.known.isUnknown = false
            part.told = part.known
            part.isChanged = false
            parts[place] = part
            return isSaid ? news : nil
        }
    }

    /// The name of the part that a sample is about, or of the part that has taken this name over.
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
        // A part whose bar went back to 0 is done.
        if !part.known.isDone { take(ProgressSample(part: newest).done()) }
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
    /// Takes over the values of another sample.
    fileprivate mutating func merge(_ other: ProgressSample) {
        if other.isUnknown, completed != nil || total != nil { takeBack() }
        let sameUnit = other.unit == nil || unit == nil || other.unit == unit
        let falls = sameUnit && (other.completed ?? .max) < (completed ?? 0)
        if !falls {
            let all = other.total ?? (sameUnit ? total : nil)
            completed = other.completed.map { min($0, all ?? $0) } ?? completed
            if let all = other.total, all >= completed ?? 0 {
                (total, totalIsEstimate) = (all, other.totalIsEstimate)
            }
            unit = other.unit ?? unit
        }
        detail = other.detail ?? detail
        expectedParts = other.expectedParts ?? expectedParts
        isDone = isDone || other.isDone
    }

    private mutating func takeBack() {
        (completed, total, unit, totalIsEstimate, isUnknown) = (nil, nil, nil, false, true)
    }

    /// What is new in it, with everything else `nil`.
    fileprivate func news(since told: ProgressSample) -> ProgressSample {
        var news = self
        var told = told
        if isUnknown { told.takeBack() }
        // After a change of the unit, the amount is reported again too.
        if unit == told.unit {
            news.unit = nil
            if completed == told.completed { news.completed = nil }
        }
        if (total, totalIsEstimate) == (told.total, told.totalIsEstimate) {
            (news.total, news.totalIsEstimate) = (nil, false)
        }
        if detail == told.detail { news.detail = nil }
        if expectedParts == told.expectedParts { news.expectedParts = nil }
        news.isDone = isDone && !told.isDone
        return news
    }
}
