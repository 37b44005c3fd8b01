import BusProtocol
import TaskTree

/// What viewers follow, and what they are to be told with the next step.
struct Publication {
    var topics: [Topic: TopicState] = [:]
    var listings = Listings()
    var stepNumber: UInt64 = 1
    var lastStep: Moment
    /// Something urgent came too soon after the last step.
    var awaitsEarlyStep = false
    /// Whether something arrived that the next step must look at.
    var isChanged = false
    /// What was settled for a decision between steps and is published with the next one.
    var unpublished = StepChanges()
    var totalsChanged = true
    /// When tasks were counted by host, of all jobs where that is followed, and until when they are not
    /// to be again.
    var hostsCounted: Moment?
    var hostsRest: Moment?
    /// Tasks that need attention, in the order of their ids when published.
    var attention: Set<TaskID> = []
    var attentionChanged = false
    /// Until when they are not to be listed again.
    var attentionRest = Moment(nanoseconds: 0)
}
