/// A command as somebody typed it.
package struct CommandWords: Hashable, Sendable {
    /// The program without its directory.
    package var program: String
    package var arguments: [String]

    package init(_ words: [String]) {
        program = (words.first ?? "").lastPathPart
        arguments = Array(words.dropFirst())
    }
}

extension String {
    /// The part behind the last slash; slashes at the end do not count.
    var lastPathPart: String { split(separator: "/").last.map(String.init) ?? self }
}

extension CommandWords {
    /// The command that `sudo`, `nice` and their like run; `python3 -m pip` is `pip`.
    ///
    /// A script of a shell is left as it is, as it may be many commands.
    package var meant: CommandWords {
        var command = self
        // Nobody types more wrappers than this; the limit ends longer chains of them.
        for _ in 0..<8 {
            guard let inner = command.unwrapped else { break }
            command = inner
        }
        return command
    }

    private var unwrapped: CommandWords? {
        if program.hasPrefix("python") || program.hasPrefix("pypy") {
            guard let module = arguments.firstIndex(of: "-m"),
                arguments[..<module].allSatisfy({ $0.hasPrefix("-") })
            else { return nil }
            return Self.command(arguments[(module + 1)...])
        }
        guard let wrapper = Wrapper.all[program] else { return nil }
        return Self.command(wrapper.inner(of: arguments))
    }

    private static func command(_ words: ArraySlice<String>) -> CommandWords? {
        words.isEmpty ? nil : CommandWords(Array(words))
    }
}

/// A program that runs another one.
private struct Wrapper {
    /// Its options that have their value in the next word.
    var valued: Set<String> = []
    /// How many words of its own stand before the command.
    var own = 0
    var takesAssignments = false

    static let all: [String: Wrapper] = [
        "env": Wrapper(valued: ["-u", "-C", "-S"], takesAssignments: true),
        "nice": Wrapper(valued: ["-n"]),
        "ionice": Wrapper(valued: ["-c", "-n"]),
        "time": Wrapper(valued: ["-f", "-o"]),
        "sudo": Wrapper(
            valued: ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T"],
            takesAssignments: true
        ),
        "doas": Wrapper(valued: ["-u", "-C"]),
        "stdbuf": Wrapper(valued: ["-i", "-o", "-e"]),
        "nohup": Wrapper(),
        "setsid": Wrapper(),
        "timeout": Wrapper(valued: ["-k", "-s"], own: 1),
        "caffeinate": Wrapper(valued: ["-t", "-w"]),
    ]

    func inner(of words: [String]) -> ArraySlice<String> {
        var rest = words[...]
        var missing = own
        while let word = rest.first {
            if word == "--" {
                rest = rest.dropFirst()
                break
            } else if word.hasPrefix("-"), word.count > 1 {
                rest = rest.dropFirst(valued.contains(word) ? 2 : 1)
            } else if takesAssignments, word.contains("=") {
                rest = rest.dropFirst()
            } else if missing > 0 {
                missing -= 1
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return rest
    }
}
