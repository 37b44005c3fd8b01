/// A number that was found to be progress, in the output of a command that has no adapter.
struct Claim {
    enum Source: Hashable {
        /// An adapter that has recognized its program.
        case adapter(String)
        /// A place of rising numbers.
        case place(Int)
    }

    var source: Source
    /// The name of the part, if the number is only that of a part.
    var name: String
    /// The sample as one of the command itself.
    var sample: ProgressSample
}

/// Decides whether a number is how far the command is, or only a part of what it does.
///
/// The first number counts as the command's until one of three things happens: it begins anew, it
/// stays at its end while the command goes on, or other numbers rise while it does not. From then
/// on the command does an unknown number of things one after the other, and each is a part.
struct Phases {
    private enum Stage {
        case nothing
        case whole(Claim)
        /// The part that advanced last.
        case parts(Claim?)
    }

    /// After so many rises of other numbers, with none of the command's own between them, all
    /// numbers count as parts.
    private static let neededRises = 2
    /// Seconds for which the command's number may stay at its end.
    private static let patience = 1.0
    private static let end = 0.999

    private var stage = Stage.nothing
    private var risesOfOthers = 0
    private var endedAt: Double?

    mutating func take(_ claim: Claim) -> [ProgressSample] {
        switch stage {
        case .nothing:
            guard !claim.isWithdrawn else { return [] }
            stage = .whole(claim)
            return [claim.sample]
        case .whole(let whole) where whole.source == claim.source:
            if claim.isWithdrawn { return giveUp() }
            if claim.sample.isFarBehind(whole.sample) { return split(whole) + part(claim) }
            stage = .whole(claim.following(whole))
            risesOfOthers = 0
            return [claim.sample]
        case .whole(let whole):
            guard !claim.isWithdrawn else { return [] }
            risesOfOthers += 1
            let isOver = whole.sample.fraction >= Self.end
            guard isOver || risesOfOthers >= Self.neededRises else { return [] }
            return split(whole) + part(claim)
        case .parts: return claim.isWithdrawn ? [] : part(claim)
        }
    }

    /// Another program was recognized: withdraws a number that was guessed, and makes a part of one
    /// that an adapter read.
    mutating func programChanges() -> [ProgressSample] {
        guard case .whole(let whole) = stage else { return [] }
        if case .adapter = whole.source { return split(whole) }
        let shown = whole.sample.fraction
        let samples = giveUp()
        // A guess that was hardly seen does no harm: the next number may be the command's.
        if shown < 0.05 { stage = .nothing }
        return samples
    }

    /// Whether the command's number is at its end.
    var awaitsTime: Bool {
        if case .whole(let whole) = stage { whole.sample.fraction >= Self.end } else { false }
    }

    mutating func tick(at now: Double) -> [ProgressSample] {
        guard awaitsTime, case .whole(let whole) = stage else {
            endedAt = nil
            return []
        }
        let since = endedAt ?? now
        endedAt = since
        return now - since >= Self.patience ? split(whole) : []
    }

    private mutating func giveUp() -> [ProgressSample] {
        stage = .parts(nil)
        return [.unknown]
    }

    private mutating func split(_ whole: Claim) -> [ProgressSample] {
        giveUp() + part(whole)
    }

    private mutating func part(_ claim: Claim) -> [ProgressSample] {
        var samples: [ProgressSample] = []
        var claim = claim
        if case .parts(let last?) = stage {
            let isSame = last.source == claim.source
            let isOver =
                isSame && claim.sample.isFarBehind(last.sample)
                || !isSame && last.sample.fraction >= 0.99
            if isOver { samples.append(ProgressSample(part: last.partName).done()) }
            if isSame, !isOver { claim = claim.following(last) }
            if !isSame { samples.append(ProgressSample().with(detail: claim.partName)) }
        }
        stage = .parts(claim)
        var sample = claim.sample
        sample.part = claim.partName
        samples.append(sample.done(sample.fraction >= 1))
        return samples
    }
}

extension Claim {
    /// Whether the number was no progress after all.
    fileprivate var isWithdrawn: Bool { sample.completed == nil }

    fileprivate var partName: String { name.isEmpty ? "Progress" : name }

    /// The claim, with the values of an earlier claim where it has none.
    fileprivate func following(_ earlier: Claim) -> Claim {
        var claim = self
        claim.sample.completed = sample.completed ?? earlier.sample.completed
        claim.sample.total = sample.total ?? earlier.sample.total
        claim.sample.unit = sample.unit ?? earlier.sample.unit
        return claim
    }
}

extension ProgressSample {
    fileprivate var fraction: Double {
        guard let completed, let total, total > 0 else { return 0 }
        return Double(completed) / Double(total)
    }

    /// Whether less than half of the amount before is done, so that the work has begun anew.
    fileprivate func isFarBehind(_ before: ProgressSample) -> Bool {
        guard let completed, let done = before.completed, unit == before.unit else { return false }
        return completed < done / 2
    }
}
