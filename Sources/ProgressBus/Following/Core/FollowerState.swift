import BusProtocol
package import TaskTree

/// What a follower knows of its broker and of the connection to it.
struct BrokerLink: Sendable {
    var conversation = BrokerConversation()
    /// The last welcome of the present epoch.
    var welcome: WireWelcome?
    var welcomedAt: Moment?
    /// When the broker last sent a welcome, or a chunk of a snapshot that was asked for.
    var answeredAt: Moment?
    /// The broker's present epoch.
    var epoch: UInt64?
    /// Epochs that have ended; a late frame of one of them is ignored.
    var formerEpochs: [UInt64] = []
    /// When anything came over the updates socket.
    var lastUpdate: Moment?
    /// The broker's clock at a moment of ours.
    var brokerTime: (seconds: Double, at: Moment)?
    /// The error that ends all follows and questions.
    var fatal: FollowError?
    /// Why the broker does not welcome us now; it is asked again.
    var helloRefusal: FollowError?
}

/// What a consumer follows.
enum Interest: Sendable, Hashable {
    /// All jobs, with children down to a depth (`nil`: all of them).
    case board(depth: Int?, messages: Bool)
    /// One task and what is below it, until its final state.
    case task(TaskID, job: TaskID, depth: Int?)
    /// The parts of a viewport, and what changes in them.
    case viewport(Set<ViewportPart>)

    /// Whether its topics depend on which jobs there are.
    var isDeep: Bool {
        guard case .board(let depth, let messages) = self else { return false }
        return depth != 0 || messages
    }

    var isTask: Bool {
        if case .task = self { true } else { false }
    }

    /// Whether a topic has what is below a part of the job, for which another host may be asked.
    func isPart(_ topic: Topic) -> Bool {
        guard case .task(_, let job, _) = self, case .job(let id) = topic else { return false }
        return id != job
    }
}

/// Something asked of the broker over control.
package enum Inquiry: Sendable {
    case find(TaskSelector)
    case search(TaskSearch)
    case command(TaskRequest, TaskID, timeout: Duration)
}

package enum InquiryResult: Sendable {
    case found([TaskMatch])
    case hits(SearchHits)
    case answered([SessionAnswer])
    case failed(FollowError)
}

struct PendingInquiry: Sendable {
    /// The asker's number for the question.
    let id: UInt64
    let question: Inquiry
    /// `nil`: waits for a broker as long as it takes.
    let deadline: Moment?
    var isSent = false
    var answers: [SessionAnswer] = []
    /// How many sessions the broker has asked, as far as it has said.
    var asked = 0
}

/// What is handed to whoever waits for a value.
enum Delivery: Sendable {
    case board(Board)
    case task(TaskUpdate)
    /// The last value; nothing follows.
    case final(TaskUpdate)
    case viewport(ViewportUpdate)
    case failed(FollowError)
    case finished

    /// What is kept of a delivery while there is nothing newer; of a viewport, only the connection,
    /// the broker and the highest slot.
    var kept: Delivery {
        guard case .viewport(let picture) = self else { return self }
        var kept = ViewportUpdate(connection: picture.connection)
        kept.broker = picture.broker
        kept.highestSlot = picture.highestSlot
        return .viewport(kept)
    }
}
