import BrokerCore
import BusProtocol
import TaskTree

/// A session that owns one job: says hello, begins tasks, tells how far they are.
struct Worker {
    /// Numbers of tasks in a frame.
    static let amountsPerFrame = 1_000
    /// Tasks that a frame begins or ends, as many as it may.
    private static let entriesPerFrame = ProtocolLimits.listItems

    let number: UInt64
    let id: SessionID
    private let credential: [UInt8]
    private let route: Route
    private var sequence: UInt64 = 0
    private(set) var lastIndex: UInt64 = 0

    init(number: Int) {
        self.number = UInt64(number)
        id = SessionID(rawValue: 0x9E37_79B9_7F4A_7C15 &* UInt64(number + 1))
        credential = (0..<16).map {
            UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) ^ UInt8($0)
        }
        route = Route(bytes: [1] + credential)
    }

    func sayHello(to bus: inout Bus) { speak(hello, to: &bus) }

    private var hello: WireClientFrame.OneOf_Body {
        var hello = WireHello()
        hello.session = id.rawValue
        hello.client = "broker-bench"
        hello.process.pid = 1 + Int64(number)
        hello.process.host = "host"
        hello.process.command = "bench"
        return .hello(hello)
    }

    func beat(_ bus: inout Bus) { speak(.heartbeat(WireHeartbeat()), to: &bus) }

    func speak(_ body: WireClientFrame.OneOf_Body, to bus: inout Bus) {
        var frame = WireClientFrame()
        frame.credentialBytes = credential
        frame.body = body
        bus.control(Frame.encode(frame), from: route)
    }

    /// Begins so many tasks below a parent (0: a job) with a total, in frames that are full.
    ///
    /// Titles have 20 bytes, unless all are to have one. Returns the indices, which follow each other.
    mutating func begin(
        _ count: Int,
        below parent: UInt64,
        total: Int64?,
        title: String? = nil,
        on bus: inout Bus
    ) -> Range<UInt64> {
        let first = lastIndex + 1
        var left = count
        while left > 0 {
            var report = emptyReport()
            for _ in 0..<min(left, Self.entriesPerFrame) {
                lastIndex += 1
                report.descriptions.append(
                    Self.description(lastIndex, below: parent, title: title)
                )
                if let total {
                    report.amountIndex.append(lastIndex)
                    report.completed.append(0)
                    report.total.append(total)
                }
            }
            left -= report.descriptions.count
            bus.report(Frame.encode(report))
        }
        return first..<(lastIndex + 1)
    }

    /// A frame that says that these tasks stand at this number of a total.
    mutating func amounts(
        _ indices: some Sequence<UInt64>,
        at completed: Int64,
        of total: Int64
    )
        -> [UInt8]
    {
        var report = emptyReport()
        for index in indices {
            report.amountIndex.append(index)
            report.completed.append(completed)
            report.total.append(total)
        }
        return Frame.encode(report)
    }

    /// Says of jobs of one title that they have ended, in frames that are full.
    mutating func end(
        _ indices: Range<UInt64>,
        _ state: WireStatedState,
        title: String,
        on bus: inout Bus
    ) {
        for first in stride(
            from: indices.lowerBound,
            to: indices.upperBound,
            by: Self.entriesPerFrame
        ) {
            sequence += 1
            var endings = WireEndings()
            endings.sequence = sequence
            for index in first..<min(first + UInt64(Self.entriesPerFrame), indices.upperBound) {
                endings.endings.append(Self.ending(index, state, title: title))
            }
            speak(.endings(endings), to: &bus)
        }
    }

    /// The file that it would leave in the spool: jobs of this title, ended in this way.
    func lastWords(
        of jobs: Int = 1,
        _ state: WireStatedState,
        title: String
    ) throws -> SpoolFile {
        var bodies = [hello]
        for first in stride(from: 1, through: jobs, by: Self.entriesPerFrame) {
            var endings = WireEndings()
            endings.sequence = UInt64(bodies.count)
            for index in first...min(first + Self.entriesPerFrame - 1, jobs) {
                endings.endings.append(Self.ending(UInt64(index), state, title: title))
            }
            bodies.append(.endings(endings))
        }
        let frames = (bodies + [.goodbye(WireGoodbye())]).map { body in
            var frame = WireClientFrame()
            frame.credentialBytes = credential
            frame.body = body
            return frame
        }
        return try SpoolFile(decoding: SpoolFile.encode(frames))
    }

    private static func ending(
        _ index: UInt64,
        _ state: WireStatedState,
        title: String
    ) -> WireEnding {
        var ending = WireEnding()
        ending.description_p = description(index, below: 0, title: title)
        ending.state = state
        ending.total = -1
        return ending
    }

    private mutating func emptyReport() -> WireReport {
        sequence += 1
        var report = WireReport()
        report.credentialBytes = credential
        report.sequence = sequence
        return report
    }

    private static func description(
        _ index: UInt64,
        below parent: UInt64,
        title: String? = nil
    ) -> WireDescription {
        var description = WireDescription()
        description.index = index
        let number = String(index)
        description.title =
            title ?? "chunk " + String(repeating: "0", count: 14 - number.count) + number
        if parent != 0 {
            description.parent = WireTaskRef()
            description.parent.index = parent
        }
        return description
    }
}
