import Essentials
import ProgressBus

/// Turns pictures into lines; has neither a clock nor output of its own.
protocol WatchFormatter: Sendable {
    /// The lines that a new picture gives.
    mutating func lines(for picture: WatchedPicture, at time: Date) throws -> [String]
    /// The lines that are due because time went by; called about once a second.
    mutating func lines(at time: Date) throws -> [String]
}
