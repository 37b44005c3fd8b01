extension BusFollower {
    /// What can be asked of a task.
    public typealias Verb = FollowerVerb
    /// A task that goes by a name.
    public typealias Match = FollowerMatch
    /// What one session said to a verb.
    public typealias Answer = FollowerAnswer
    /// How a session took a verb.
    public typealias Outcome = FollowerOutcome
}
