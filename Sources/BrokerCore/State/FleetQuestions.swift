import BusProtocol
import TaskTree

/// Questions to other brokers that the bridge was given and that are not answered yet.
struct FleetQuestions {
    struct Question {
        /// What the bridge is sent: the question, the broker that is asked, and the question's
        /// number in this table.
        var message: WireFleetQuestion
        /// The asker's number of the request, where the answer goes, and whose share of the table
        /// the question takes.
        let request: UInt64
        let route: Route
        let asker: ShareOwner
        let content: Content
    }

    enum Content {
        /// A snapshot of a topic, with the topic's sequence when the snapshot was asked for.
        case snapshot(Topic, sequence: UInt64)
        case find
        /// Which broker has a task.
        case owner(of: TaskID)
        case command
        /// A request about a detached task of another broker, which may have to be found first.
        case detached(DetachedElsewhere, about: TaskID)
    }

    private var questions: [UInt64: Question] = [:]
    private var lastNumber: UInt64 = 0
    private(set) var room = SharedRoom()

    var count: Int { questions.count }
    /// The numbers of all, in the order in which they were asked.
    var numbers: [UInt64] { questions.keys.sorted() }

    subscript(number: UInt64) -> Question? { questions[number] }

    /// The number of the question in which a request about a detached task is passed on.
    func number(of request: DetachedRequestID) -> UInt64? {
        questions.first {
            guard case .detached(let passedOn, _) = $0.value.content else { return false }
            return passedOn.id == request
        }?.key
    }

    /// Replaces the message of a question.
    mutating func change(_ number: UInt64, to message: WireFleetQuestion) {
        questions[number]?.message = message
        questions[number]?.message.request = number
    }

    /// Adds a question; returns its number.
    mutating func begin(_ question: Question) -> UInt64 {
        lastNumber += 1
        questions[lastNumber] = question
        change(lastNumber, to: question.message)
        room.add(1, of: question.asker)
        return lastNumber
    }

    /// Removes a question that is answered, or will not be.
    mutating func end(_ number: UInt64) {
        guard let question = questions.removeValue(forKey: number) else { return }
        room.add(-1, of: question.asker)
    }
}

/// A request about a detached task that another broker is to carry out, and where its answer goes.
struct DetachedElsewhere {
    let id: DetachedRequestID
    let content: WireDetachedRequest
    let route: Route
    /// The number of the spool file that the request came from.
    let file: UInt64?
}
