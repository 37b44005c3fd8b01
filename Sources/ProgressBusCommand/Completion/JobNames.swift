import ArgumentParser
import DashboardCore
import ProgressBus

/// The completions of a task argument: the keys of jobs, or the ids of detached tasks.
struct JobNames {
    /// The most ids that are offered; nobody reads more.
    private static let mostTasks = 200

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

    /// Whether the command line names a bus on another machine.
    ///
    /// Completion does not ask that bus: each Tab would open a connection of ssh.
    var isElsewhere: Bool { words.contains { $0 == "--on" || $0.hasPrefix("--on=") } }

    /// The keys of jobs for which the command of the line makes sense, in the order of the board.
    ///
    /// A key that would be read as something else, such as a slot, an id or an option, is offered
    /// as `key:NAME`. A key that a terminal cannot show unchanged is not offered.
    func offered(of jobs: [TaskSnapshot]) -> [String] {
        let command = words.dropFirst().first { !$0.hasPrefix("-") } ?? ""
        return jobs.filter { Self.fits(command, $0) }.compactMap { job in
            guard !job.key.isEmpty, PlainText.clean(job.key) == job.key else { return nil }
            return Self.isPlain(job.key) ? job.key : "key:\(job.key)"
        }
    }

    /// The ids of the tasks of `progressbus begin` that have not ended, as they stand in the tree.
    func detachedTasks(in jobs: [TaskSnapshot]) -> [String] {
        var ids: [String] = []
        var rest = Array(jobs.reversed())
        while let task = rest.popLast(), ids.count < Self.mostTasks {
            rest += task.children.reversed()
            // A task without a process belongs to the broker, unless it waits for its ticket's
            // holder.
            let isDetached = task.process == nil && task.state != .waiting
            if isDetached, !task.state.isEnded { ids.append(task.id.description) }
        }
        return ids
    }

    private static func fits(_ command: String, _ job: TaskSnapshot) -> Bool {
        let isEnded = job.state.isEnded
        return switch command {
        case "cancel": !isEnded && job.options.isCancellable
        case "pause": !isEnded && job.options.isPausable && job.state != .paused
        case "resume": job.state == .paused
        case "dismiss": isEnded
        default: true
        }
    }

    /// Whether the key alone names the job.
    ///
    /// It does not begin with `key:`, `id:` or `-`, and does not look like a slot or an id.
    private static func isPlain(_ key: String) -> Bool {
        let looksLikeID = key.utf8.count >= 6 && key.allSatisfy { $0.isHexDigit || $0 == ":" }
        let isMarked = key.hasPrefix("key:") || key.hasPrefix("id:") || key.hasPrefix("-")
        return !isMarked && !looksLikeID && !key.allSatisfy(\.isNumber)
    }
}

extension CompletionKind {
    /// The jobs on the bus for which the command makes sense.
    ///
    /// When the person presses Tab, this asks the broker. If the broker is silent for 0.9 s,
    /// nothing is offered or printed.
    static var jobs: CompletionKind {
        offered(depth: 0) { $0.offered(of: $1) }
    }

    /// The tasks of `progressbus begin` that have not ended, wherever in the tree they are.
    static var detachedTasks: CompletionKind {
        offered(depth: nil) { $0.detachedTasks(in: $1) }
    }

    private static func offered(
        depth: Int?,
        _ choose: @escaping @Sendable (JobNames, [TaskSnapshot]) -> [String]
    ) -> CompletionKind {
        .custom { (words: [String], _: Int, _: String) -> [String] in
            let names = JobNames(words: words)
            guard !names.isElsewhere else { return [] }
            let follower = BusFollower(
                BusConfiguration(endpoint: names.endpoint, program: "progressbus completion")
            )
            defer { follower.close() }
            let board = waitForAnswer {
                try? await follower.status(depth: depth, timeout: .milliseconds(900))
            }
            return choose(names, board?.jobs ?? [])
        }
    }
}
