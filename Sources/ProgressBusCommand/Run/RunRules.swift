import OutputReading

/// What holds for every command of a run.
struct RunRules: Sendable {
    /// Seconds between asking a command to end and ending it.
    var grace: Double
    /// Seconds from a cancel to the end of the connection to another machine; 0 without one.
    ///
    /// What reports there gets the request too, and answers it through that connection.
    var patience = 0.0
    /// Whether they run on other machines.
    var isElsewhere: Bool { patience > 0 }
    /// Whose progress is understood.
    var choice: AdapterChoice
    /// Whether a failure tells the last lines of what it prints.
    var keepsTail: Bool
}
