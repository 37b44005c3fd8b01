import Foundation
import ProgressBus

/// What a `Progress` object has said at one moment.
struct ProgressReading: Equatable, Sendable {
    var completed: Int64
    var total: Int64
    /// With what its children have done; `nil` where nobody may ask for it.
    var fraction: Double?
    /// What it counts, as far as its kind says; `nil` where nobody may ask or it does not say.
    var unit: ProgressUnit?
    var isFinished = false
    var isCancelled = false
    var isPaused = false
    var isCancellable = false
    var isPausable = false

    /// Whether the object says that there was nothing to do.
    var isEmpty: Bool { completed == 0 && total == 0 }
}

extension ProgressReading {
    /// What may be asked of an object.
    enum Reach {
        /// Only numbers and flags: words of memory that can be read while others write them.
        case numbers
        /// Numbers, flags and the kind, which is a string.
        case kind
        /// All of it, because whoever changes the object or its children waits meanwhile.
        case all
    }

    /// Looks at an object.
    ///
    /// Outside of Apple's systems `fractionCompleted` computes with pairs of numbers that another
    /// thread may be in the middle of changing, and traps where a product of such a mixture
    /// overflows; `kind` is a string that may be freed meanwhile.
    init(_ progress: Progress, reach: Reach) {
        completed = progress.completedUnitCount
        total = progress.totalUnitCount
        isFinished = progress.isFinished
        isCancelled = progress.isCancelled
        isPaused = progress.isPaused
        isCancellable = progress.isCancellable
        isPausable = progress.isPausable
        #if canImport(Darwin)
        fraction = progress.fractionCompleted
        #else
        fraction = reach == .all ? progress.fractionCompleted : nil
        #endif
        unit = reach == .numbers ? nil : Self.unit(of: progress)
    }

    /// Bytes for files, as Foundation has it; files where the object counts as many as there are.
    private static func unit(of progress: Progress) -> ProgressUnit? {
        guard progress.kind == .file else { return nil }
        let files = progress.userInfo[.fileTotalCountKey] as? Int
        return files.map(Int64.init) == progress.totalUnitCount ? .files : .bytes
    }
}
