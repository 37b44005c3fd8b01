import BrokerCore
import BusProtocol
import TaskTree

/// A client that says what the test tells it to say.
struct Client {
    let session: SessionID
    let credential: SessionCredential
    var route: Route
    let isViewer: Bool

    init(_ number: UInt8, viewer: Bool = false) {
        session = SessionID(rawValue: UInt64(number) + 100)
        credential =
            SessionCredential([UInt8](repeating: number, count: 16)) ?? SessionCredential.random()
        route = Route(bytes: [0, number])
        isViewer = viewer
    }

    /// Somebody who speaks for a session with a credential of their choice.
    init(session: SessionID, credential: SessionCredential) {
        self.session = session
        self.credential = credential
        route = Route(bytes: [0, 99])
        isViewer = false
    }

    func task(_ index: UInt64) -> TaskID { TaskID(index: index, session: session) }

    var hello: WireClientFrame.OneOf_Body {
        var hello = WireHello()
        hello.session = session.rawValue
        hello.viewer = isViewer
        hello.process.pid = Int64(session.rawValue)
        hello.process.host = "host"
        hello.client = "test"
        return .hello(hello)
    }

    func description(
        _ index: UInt64,
        _ title: String,
        parent: TaskID? = nil,
        ticket: TaskID? = nil,
        isTicket: Bool = false,
        share: Int64? = nil
    ) -> WireDescription {
        var description = WireDescription()
        description.index = index
        description.title = title
        if let parent { description.parent = WireTaskRef(parent) }
        if let ticket { description.ticket = WireTaskRef(ticket) }
        description.isTicket = isTicket
        if let share { description.share = share }
        return description
    }

    func ending(
        _ description: WireDescription,
        _ state: WireStatedState,
        completed: Int64 = 0,
        total: Int64 = -1,
        reason: String = ""
    ) -> WireEnding {
        var ending = WireEnding()
        ending.description_p = description
        ending.state = state
        ending.completed = completed
        ending.total = total
        ending.reason = reason
        return ending
    }

    func endings(_ sequence: UInt64, _ endings: [WireEnding]) -> WireClientFrame.OneOf_Body {
        var frame = WireEndings()
        frame.sequence = sequence
        frame.endings = endings
        return .endings(frame)
    }
}

extension WireReport {
    /// Adds amounts of one task to the columns.
    mutating func add(_ index: UInt64, completed: Int64, total: Int64 = -1) {
        amountIndex.append(index)
        self.completed.append(completed)
        self.total.append(total)
    }
}
