import ArgumentParser

/// Why a command ends without success: the exit code and the sentence for standard error.
struct CommandFailure: Error, CustomStringConvertible {
    var code: ExitCode
    /// What was wrong and what to do about it.
    var sentence: String

    init(_ code: ExitCode, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    var description: String { sentence }
}
