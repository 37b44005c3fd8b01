import DashboardCore
import ProgressBus

/// What a shell may offer for a task on the command line: the keys of the jobs that fit.
struct JobNames {
    /// The words of the command line so far, `progressbus` the first.
    private let words: [String]

    init(words: [String]) {
        self.words = words
    }

    /// The bus that the command line names; `nil` leaves it to the environment.
    var endpoint: String? {
        let option = "--endpoint"
        if let position = words.firstIndex(of: option), position + 1 < words.count {
            return words[position + 1]
        }
        return words.first { $0.hasPrefix(option + "=") }.map {
            String($0.dropFirst(option.count + 1))
        }
    }

    /// The keys of jobs for which the command of the line makes sense, in the order of the board.
    ///
    /// A key that would be read as something else is offered as `key:NAME`; one that a terminal
    /// would not show as it is, is not offered.
    func offered(of jobs: [TaskSnapshot]) -> [String] {
        let command = words.dropFirst().first { !$0.hasPrefix("-") } ?? ""
        return jobs.filter { Self.fits(command, $0) }.compactMap { job in
            guard !job.key.isEmpty, PlainText.clean(job.key) == job.key else { return nil }
            return Self.isPlain(job.key) ? job.key : "key:\(job.key)"
        }
    }

    private static func fits(_ command: String, _ job: TaskSnapshot) -> Bool {
        let isEnded: Bool
        switch job.state {
        case .succeeded, .failed, .cancelled, .lost: isEnded = true
        default: isEnded = false
        }
        return switch command {
        case "cancel": !isEnded && job.isCancellable
        case "pause": !isEnded && job.isPausable && job.state != .paused
        case "resume": job.state == .paused
        case "dismiss": isEnded
        default: true
        }
    }

    /// Whether the key is found by itself: not a slot, not marked, not like the beginning of an id.
    private static func isPlain(_ key: String) -> Bool {
        let looksLikeID = key.utf8.count >= 6 && key.allSatisfy { $0.isHexDigit || $0 == ":" }
        let isMarked = key.hasPrefix("key:") || key.hasPrefix("id:") || key.hasPrefix("-")
        return !isMarked && !looksLikeID && !key.allSatisfy(\.isNumber)
    }
}
