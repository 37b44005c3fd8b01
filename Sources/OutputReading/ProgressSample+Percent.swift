extension ProgressSample {
    /// Hundredths of a percent that are all of it.
    static let wholePercent: Int64 = 10_000

    /// A part of which only the percentage is known, in hundredths.
    static func percent(_ hundredths: Int64, of part: String? = nil) -> ProgressSample {
        var sample = ProgressSample(part: part)
        sample.completed = hundredths
        sample.total = wholePercent
        sample.unit = "percent"
        return sample
    }

    static func amount(
        _ completed: Int64?,
        of total: Int64? = nil,
        unit: String? = nil,
        part: String? = nil
    ) -> ProgressSample {
        var sample = ProgressSample(part: part)
        sample.completed = completed
        sample.total = total
        sample.unit = unit
        return sample
    }

    /// How many parts there will be.
    static func parts(_ count: Int?) -> ProgressSample {
        var sample = ProgressSample()
        sample.expectedParts = count
        return sample
    }

    func with(detail: String?) -> ProgressSample {
        var sample = self
        if let detail, !detail.isEmpty { sample.detail = detail }
        return sample
    }

    func done(_ isDone: Bool = true) -> ProgressSample {
        var sample = self
        sample.isDone = isDone
        return sample
    }
}
