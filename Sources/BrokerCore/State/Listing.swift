import BusProtocol
import TaskTree

/// The ids of a snapshot that somebody pulls chunk by chunk, as they were when it began.
struct Listing {
    let number: UInt64
    let topic: Topic
    let ids: [TaskID]
}
