import ArgumentParser

/// The codes of sysexits(3) that the commands use, those of shells for signals, those of `wait`.
extension ExitCode {
    /// Of `wait`: a task was lost.
    static let lost = ExitCode(3)
    /// Of `wait`: a task was cancelled.
    static let cancelled = ExitCode(4)
    /// Of `wait`, as of timeout(1): the time is up.
    static let timeIsUp = ExitCode(124)
    /// The command line was wrong; also what ArgumentParser exits with by itself.
    static let usage = ExitCode(64)
    /// The input was wrong.
    static let dataError = ExitCode(65)
    /// There is no broker, or it does not answer.
    static let unavailable = ExitCode(69)
    /// A file or a socket cannot be created, or somebody else holds it.
    static let cannotCreate = ExitCode(73)
    /// What a command printed could not be written.
    static let outputLost = ExitCode(74)
    /// It may work later.
    static let temporaryFailure = ExitCode(75)
    /// Not allowed.
    static let noPermission = ExitCode(77)
    /// Ended because somebody asked for it: what a shell reports after an interrupt.
    static let interrupted = ExitCode(130)
    /// Nobody reads the output and the work was not done: what a shell reports after SIGPIPE.
    static let brokenPipe = ExitCode(141)
    /// What a shell reports after SIGTERM.
    static let terminated = ExitCode(143)
}
