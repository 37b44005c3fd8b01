import Foundation
import ProgressBus
import Synchronization

/// What a follower that reads all the time sees of the jobs of processes, and when.
final class Sights: Sendable {
    /// A job looks different from now on.
    struct Sight: Sendable {
        let at: ContinuousClock.Instant
        /// "silent", "stalled", or the state.
        let word: String
        let exit: TaskSnapshot.Exit?
    }

    private struct State {
        var ofProcess: [Int: [Sight]] = [:]
        var board: Board?
    }

    private let state = Mutex(State())
    private let follower = BusFollower()

    init() {
        let boards = follower.boards
        Task { [weak self] in
            for try await board in boards {
                guard let self else { return }
                look(at: board, at: .now)
            }
        }
    }

    /// The newest board.
    var board: Board? { state.withLock { $0.board } }

    /// Everything seen of a process, the oldest first.
    func sights(of pid: Int) -> [Sight] { state.withLock { $0.ofProcess[pid] ?? [] } }

    /// Waits until a process has been seen like this after some moment.
    func sight(
        of pid: Int,
        as word: String,
        after begin: ContinuousClock.Instant = .now - .seconds(86_400)
    ) async throws -> Sight {
        while true {
            if let sight = sights(of: pid).first(where: { $0.word == word && $0.at >= begin }) {
                return sight
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func close() { follower.close() }

    private func look(at board: Board, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.board = board
            // What is shown while the broker is away or settles is the former picture.
            guard board.connection == .live, board.broker?.isSettling != true else { return }
            for job in board.jobs {
                guard let pid = job.process?.pid else { continue }
                let word = job.isSilent ? "silent" : job.isStalled ? "stalled" : job.state.rawValue
                guard state.ofProcess[pid]?.last?.word != word else { continue }
                state.ofProcess[pid, default: []].append(Sight(at: now, word: word, exit: job.exit))
            }
        }
    }
}

/// Processes like this one.
enum Worker {
    /// Starts one; its standard input is empty.
    static func start(_ arguments: String...) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Ends this process with what has gone wrong unless all went well.
    static func run(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(69)
        }
    }
}

/// A list of numbers as it is printed.
func list(_ numbers: [Double]) -> String {
    "[" + numbers.map { String(format: "%.1f", $0) }.joined(separator: ",") + "]"
}
