package import BusProtocol
package import TaskTree

/// A viewer that asks a broker in this process one question: no thread, no socket, no updates.
package struct DirectViewer: Sendable {
    /// What can be asked.
    package enum Question: Sendable {
        /// All jobs with all their children.
        case board
        case inquiry(Inquiry)
    }

    /// What is answered.
    package enum Answer: Sendable {
        case board(Board)
        case inquiry(InquiryResult)
    }

    private var machine: FollowerMachine
    /// The answer, once the broker has given it.
    package private(set) var answer: Answer?

    package init(_ question: Question, at now: Moment) {
        machine = FollowerMachine(isOnce: true, at: now)
        switch question {
        case .board: machine.follow(1, .board(depth: nil, messages: true), at: now)
        case .inquiry(let inquiry): machine.ask(1, inquiry, deadline: nil)
        }
    }

    /// The frames to send now; to be called again after every frame received.
    package mutating func frames(at now: Moment) -> [WireClientFrame] {
        machine.tick(at: now)
        var frames: [WireClientFrame] = []
        for action in machine.takeActions() {
            switch action {
            case .send(let frame): frames.append(frame)
            case .answer(_, let result): answer = .inquiry(result)
            case .subscribe, .unsubscribe: break
            }
        }
        if answer == nil, machine.isOnceComplete || machine.link.fatal != nil {
            switch machine.nextValue(for: 1, at: now) {
            case .board(let board)?: answer = .board(board)
            case .failed(let error)?: answer = .inquiry(.failed(error))
            default: break
            }
        }
        if answer != nil, let goodbye = machine.goodbye() { frames.append(goodbye) }
        return frames
    }

    /// Takes a frame of the broker.
    package mutating func receive(_ frame: WireBrokerFrame, at now: Moment) {
        machine.receive(frame, at: now)
    }
}
