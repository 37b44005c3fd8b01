import OutputReading

/// How a command's standard streams are connected, and where its process belongs.
///
/// If our standard input and output are a terminal, the command gets a terminal of its own, with
/// its own keys and signals. If output goes to a file, standard error must be one in its place.
/// Otherwise the command stays in our session, so that Ctrl-C, Ctrl-Z and the other commands of a
/// pipeline find the terminal as usual. Only a command that needs the foreground to show progress,
/// and reads no keys, then gets a session on a terminal for its output alone.
struct StandardStreamsPlan: Equatable, Sendable {
    /// What is known of our own streams.
    struct Facts: Equatable, Sendable {
        var inputIsTerminal = false
        var outputIsTerminal = false
        var errorIsTerminal = false
        /// Whether standard output is a file or a device, so that no other command reads it.
        var outputIsFile = false
        /// Whether standard output and standard error are the same file or pipe.
        var outputsAreOne = false
        /// Whether there is a terminal that sends us signals.
        var hasTerminal = false
        /// Whether anybody wants to read what the command prints.
        var isRead = true
        var need = TerminalRequirement.nothing
    }

    enum Output: Equatable, Sendable {
        /// Our own descriptor, unchanged; nothing is read.
        case inherited
        case pipe
        /// A terminal between the command and ours.
        case terminal
        /// The same as standard output, so that the order of the output stays.
        case withOutput
    }

    enum Place: Equatable, Sendable {
        /// A session on a terminal of its own, to which our input is passed on.
        case session
        /// A session on a terminal of its own for output; keys stay with our terminal for other
        /// readers.
        case outputOnlySession
        case ownGroup
        case ourGroup

        var isSession: Bool { self == .session || self == .outputOnlySession }
    }

    var output: Output
    var error: Output
    var place: Place
    /// Whether the command is one of many: it has no input, and its pipes take little memory.
    var isOneOfMany = false

    /// The plan for each command of a batch, whose lines are merged.
    static func oneOfMany(outputsAreOne: Bool) -> StandardStreamsPlan {
        var facts = Facts()
        facts.outputsAreOne = outputsAreOne
        var plan = StandardStreamsPlan(facts)
        plan.isOneOfMany = true
        return plan
    }

    init(_ facts: Facts) {
        let elsewhere = facts.hasTerminal ? Place.ourGroup : .ownGroup
        guard facts.isRead else {
            (output, error, place) = (.inherited, .inherited, elsewhere)
            return
        }
        output = facts.outputIsTerminal ? .terminal : .pipe
        if facts.errorIsTerminal {
            error = facts.outputIsTerminal ? .withOutput : .terminal
        } else {
            error = facts.outputsAreOne ? .withOutput : .pipe
        }
        // On another terminal than its own a program cannot tell that it is in the foreground.
        let isAlone = facts.outputIsTerminal || facts.errorIsTerminal && facts.outputIsFile
        switch facts.need {
        case _ where facts.inputIsTerminal && isAlone: place = .session
        case .foreground where facts.errorIsTerminal: place = .outputOnlySession
        case .answers where facts.errorIsTerminal:
            // A command that waits for answers of its terminal runs unread; otherwise it waits for
            // ever.
            (output, error, place) = (.inherited, .inherited, elsewhere)
        default: place = elsewhere
        }
    }
}
