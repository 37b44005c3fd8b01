import Foundation
import ProgressBus

/// What a `Progress` object has said at one moment.
struct ProgressReading: Equatable, Sendable {
    var completed: Int64
    var total: Int64
    /// The fraction, with the work of children; `nil` where it must not be read.
    var fraction: Double?
    /// The unit that the object's kind implies; `nil` if it implies none or must not be read.
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
    /// What may be read of an object.
    enum Reach {
        /// Only numbers and flags: words of memory that can be read while others write them.
        case numbers
        /// Numbers, flags and the kind, which is a string.
        case kind
        /// Everything, because no other thread changes the object or its children meanwhile.
        case all
    }

    /// Looks at an object.
    ///
    /// Outside of Apple's systems `fractionCompleted` multiplies numbers that another thread may be
    /// changing: a half-changed pair can overflow, which traps. `kind` is a string that another
    /// thread may free meanwhile.
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

    /// The unit of an object of files: files if its total is its number of files, else bytes.
    private static func unit(of progress: Progress) -> ProgressUnit? {
        guard progress.kind == .file else { return nil }
        let files = progress.userInfo[.fileTotalCountKey] as? Int
        return files.map(Int64.init) == progress.totalUnitCount ? .files : .bytes
    }
}
