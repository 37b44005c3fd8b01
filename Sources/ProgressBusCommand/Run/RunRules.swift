import OutputReading

/// The rules for every command of a run.
struct RunRules: Sendable {
    /// Seconds from SIGTERM to SIGKILL.
    var grace: Double
    /// Seconds from a cancel to the end of the connection to another machine; 0 without one.
    ///
    /// A reporter on that machine gets the cancel too, and answers it through the connection.
    var patience = 0.0
    /// Whether the commands run on other machines.
    var isElsewhere: Bool { patience > 0 }
    /// How the output is read for progress.
    var choice: AdapterChoice
    /// Whether a failure has the last lines of the command's output.
    var keepsTail: Bool
}
