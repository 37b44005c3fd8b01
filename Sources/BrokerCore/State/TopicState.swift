import BusProtocol
import TaskTree

/// One subscribed topic.
struct TopicState {
    /// What it is called in updates.
    let name: String
    /// The sequence of the last update: the number of the step that published it.
    var sequence: UInt64
    /// `nil`: a beat is owed at once.
    var lastBeat: Moment?
    var subscribers = 1
    /// For a task of another broker: when a viewer last asked for a snapshot or got one, or the broker
    /// last had followers ask again.
    var lastAsked: Moment?
    /// Topic `states`: what was published last, so that only what is new is computed and published.
    var cells: [UInt8]?
    /// Topic `hosts`: what was published last, and after which step it was counted.
    var hosts: WireHosts?
    var countedAfter: UInt64 = 0
}

extension Topic {
    static func block(ofPlace place: Int) -> Int { (place - 1) / ProtocolLimits.childPlaces }
    static func block(ofCell cell: Int) -> Int { (cell - 1) / ProtocolLimits.stateCells }
}
