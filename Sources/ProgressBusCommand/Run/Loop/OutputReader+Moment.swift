import OutputReading
import TaskTree

extension OutputReader {
    mutating func tick(at now: Moment) -> [ProgressSample] {
        tick(at: Double(now.nanoseconds) / 1e9)
    }
}
