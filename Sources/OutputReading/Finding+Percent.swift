extension Finding {
    /// Hundredths of a percent that are all of it.
    static let wholePercent: Int64 = 10_000

    /// A part of which only the percentage is known, in hundredths.
    static func percent(_ hundredths: Int64, of part: String? = nil) -> Finding {
        var finding = Finding(part: part)
        finding.completed = hundredths
        finding.total = wholePercent
        finding.unit = "percent"
        return finding
    }

    static func amount(
        _ completed: Int64?,
        of total: Int64? = nil,
        unit: String? = nil,
        part: String? = nil
    ) -> Finding {
        var finding = Finding(part: part)
        finding.completed = completed
        finding.total = total
        finding.unit = unit
        return finding
    }

    func with(detail: String?) -> Finding {
        var finding = self
        if let detail, !detail.isEmpty { finding.detail = detail }
        return finding
    }

    func done(_ isDone: Bool = true) -> Finding {
        var finding = self
        finding.isDone = isDone
        return finding
    }
}
