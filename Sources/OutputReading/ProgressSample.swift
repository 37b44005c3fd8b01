/// What an adapter has understood of a program's output: the newest state of one part of its work.
///
/// Values are absolute, as everywhere on the bus; a value that is `nil` tells nothing. The first
/// sample about a part begins it.
package struct ProgressSample: Hashable, Sendable {
    /// Which part of the command's work this is about; `nil` is the command itself.
    ///
    /// Parts are children of the command's task, named as people should read them.
    package var part: String?
    /// How much is done, in `unit`.
    package var completed: Int64?
    /// How much there is to do.
    package var total: Int64?
    /// Whether the total is only what the program believes now.
    package var totalIsEstimate = false
    /// What is counted: `bytes`, `files`, …, or `percent`, in which case `total` is 10,000.
    package var unit: String?
    /// What the program is doing in this part just now.
    package var detail: String?
    /// Whether the part's work is done; the command's own end is its exit status, never a sample.
    package var isDone = false
    /// Whether all earlier amounts of the part are taken back; amounts in this sample hold from now
    /// on.
    package var isUnknown = false
    /// How many parts the command will have in all, as far as is known.
    package var expectedParts: Int?
}

extension ProgressSample {
    /// 100 % in hundredths of a percent.
    static let wholePercent: Int64 = 10_000

    /// A part of which only the percentage is known, in hundredths.
    static func percent(_ hundredths: Int64, of part: String? = nil) -> ProgressSample {
        ProgressSample(part: part, completed: hundredths, total: wholePercent, unit: "percent")
    }

    static func amount(
        _ completed: Int64?,
        of total: Int64? = nil,
        unit: String? = nil,
        part: String? = nil
    ) -> ProgressSample {
        ProgressSample(part: part, completed: completed, total: total, unit: unit)
    }

    /// How many parts there will be.
    static func parts(_ count: Int?) -> ProgressSample { ProgressSample(expectedParts: count) }

    /// A sample that takes back how far the command is.
    package static var unknown: ProgressSample { ProgressSample(isUnknown: true) }

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
