import BusProtocol
import TaskTree

/// Decides when ssh connects, when it forwards, and when it tries again; knows no process.
///
/// One ssh is the master, which asks where the bus of the other machine is. Another ssh then
/// forwards the sockets over the master's connection. The first connection may ask the person for a
/// password, and its failure is reported; later ones ask nobody and are tried for ever.
struct TunnelMachine: Sendable {
    enum Event: Sendable {
        /// A line of the master's output.
        case line(String)
        /// The ssh that forwards has ended.
        case forwarded(isDone: Bool)
        /// The master has ended, or could not be started.
        case ended
        /// A line of ssh's standard error, or why ssh could not be started.
        case complaint(String)
        case time
    }

    enum Action: Hashable, Sendable {
        case connect(asksPerson: Bool)
        case forward(directory: String)
        case disconnect
    }

    enum Stage: Hashable, Sendable {
        case connecting(deadline: Moment?)
        case forwarding(RemoteAnswer)
        case open(RemoteAnswer)
        case waiting(until: Moment)
        /// The first connection never came.
        case failed(FollowError)
    }

    /// How long a connection that asks nobody may take, in seconds.
    private static let patience = 20.0
    /// The pause between two tries, in seconds: at first, and at most.
    private static let pauses = 0.5...15

    let remote: RemoteBus
    private(set) var stage = Stage.connecting(deadline: nil)
    /// The last two lines that ssh has said: the cause is often in the first of them.
    private var complaints: [String] = []
    private var pause = Self.pauses.lowerBound
    /// Whether it ever was open.
    private(set) var wasOpen = false

    init(_ remote: RemoteBus) {
        self.remote = remote
    }

    /// The first action.
    var beginning: Action { .connect(asksPerson: true) }

    /// When to look at the time; `nil` while there is nothing to wait for but ssh.
    var nextTime: Moment? {
        switch stage {
        case .connecting(let deadline): deadline
        case .waiting(let until): until
        case .forwarding, .open, .failed: nil
        }
    }

    mutating func take(_ event: Event, at now: Moment) -> [Action] {
        switch (event, stage) {
        case (.complaint(let words), _):
            complaints = (complaints + [words]).suffix(2)
            return []
        case (.line(let line), .connecting):
            return take(line: line)
        case (.forwarded(isDone: true), .forwarding(let answer)):
            stage = .open(answer)
            wasOpen = true
            pause = Self.pauses.lowerBound
            return []
        case (.forwarded(isDone: false), .forwarding):
            return giveUp(at: now, "ssh cannot forward the sockets")
        case (.ended, .connecting), (.ended, .forwarding), (.ended, .open):
            return giveUp(at: now, "ssh does not reach it")
        case (.time, .connecting(let deadline?)) where now >= deadline:
            return giveUp(at: now, "it does not answer")
        case (.time, .waiting(let until)) where now >= until:
            stage = .connecting(deadline: now.advanced(bySeconds: Self.patience))
            return [.connect(asksPerson: false)]
        default:
            return []
        }
    }

    private mutating func take(line: String) -> [Action] {
        do throws(FollowError) {
            guard let answer = try RemoteAnswer(line: line) else { return [] }
            stage = .forwarding(answer)
            return [.forward(directory: answer.directory)]
        } catch {
            stage = .failed(error)
            return [.disconnect]
        }
    }

    /// Gives the connection up: for now if the tunnel was open before, for good if it never was.
    private mutating func giveUp(at now: Moment, _ what: String) -> [Action] {
        if wasOpen {
            stage = .waiting(until: now.advanced(bySeconds: pause))
            pause = min(pause * 2, Self.pauses.upperBound)
        } else {
            let said = complaints.joined(separator: "; ")
            let why = said.isEmpty ? "" : " (\(said))"
            let port = remote.port.map { "-p \($0) " } ?? ""
            let advice = "; try ssh \(port)\(remote.machine)"
            let sentence = "no connection to \(remote.machine): \(what)\(why)\(advice)"
            stage = .failed(FollowError(.cannotConnect, sentence))
        }
        return [.disconnect]
    }
}
