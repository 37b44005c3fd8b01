import OutputReading

/// How a command's standard streams are connected, and where its process belongs.
///
/// With all of it on a terminal, or what it prints in a file, the command gets a terminal of its own,
/// whose keys and signals are its own. Otherwise it stays where it would be without us, so that
/// Ctrl-C, Ctrl-Z and whoever else is in the pipeline find the terminal as they are used to; only
/// who would show nothing there and reads no keys has a terminal without them.
struct StandardStreamsPlan: Equatable, Sendable {
    /// What is known of our own streams.
    struct Facts: Equatable, Sendable {
        var inputIsTerminal = false
        var outputIsTerminal = false
        var errorIsTerminal = false
        /// Standard output is a file or a device: nobody else of a pipeline is behind it.
        var outputIsFile = false
        /// Standard output and standard error are the same file or pipe.
        var outputsAreOne = false
        /// There is a terminal that sends us signals.
        var hasTerminal = false
        /// Whether anybody wants to read what the command prints.
        var isRead = true
        var need = TerminalRequirement.nothing
    }

    enum Output: Equatable, Sendable {
        /// Ours as it is; nothing is read.
        case inherited
        case pipe
        /// A terminal between the command and ours.
        case terminal
        /// Where standard output goes, so that the order stays.
        case withOutput
    }

    enum Place: Equatable, Sendable {
        /// A session on a terminal of its own, our input passed on to it.
        case session
        /// The same, in whose foreground it is; the keys stay with our terminal, which others read.
        case outputOnlySession
        case ownGroup
        case ourGroup

        var isSession: Bool { self == .session || self == .outputOnlySession }
    }

    var output: Output
    var error: Output
    var place: Place
    /// Nothing is typed for it, and its pipes take little memory.
    var isOneOfMany = false

    /// That of each of many commands, whose lines are brought together.
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
            // Better unread than waiting for ever.
            (output, error, place) = (.inherited, .inherited, elsewhere)
        default: place = elsewhere
        }
    }
}
