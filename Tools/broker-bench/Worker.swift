import BrokerCore
import BusProtocol
import TaskTree

/// A session that owns one job: says hello, begins tasks, tells how far they are.
struct Worker {
    static let rowsPerFrame = 1_000

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

    func sayHello(to bus: inout Bus) {
        var hello = WireHello()
        hello.session = id.rawValue
        hello.client = "broker-bench"
        hello.process.pid = 1 + Int64(number)
        hello.process.host = "host"
        hello.process.command = "bench"
        speak(.hello(hello), to: &bus)
    }

    func beat(_ bus: inout Bus) { speak(.heartbeat(WireHeartbeat()), to: &bus) }

    func speak(_ body: WireClientFrame.OneOf_Body, to bus: inout Bus) {
        var frame = WireClientFrame()
        frame.credentialBytes = credential
        frame.body = body
        bus.control(Frame.encode(frame), from: route)
    }

    /// Begins so many tasks below a parent (0: a job) with a total, in frames of a thousand.
    ///
    /// Titles have 20 bytes. Returns the indices, which follow each other.
    mutating func begin(
        _ count: Int,
        below parent: UInt64,
        total: Int64?,
        on bus: inout Bus
    ) -> Range<UInt64> {
        let first = lastIndex + 1
        var left = count
        while left > 0 {
            var report = emptyReport()
            for _ in 0..<min(left, Self.rowsPerFrame) {
                lastIndex += 1
                report.descriptions.append(Self.description(lastIndex, below: parent))
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

    private mutating func emptyReport() -> WireReport {
        sequence += 1
        var report = WireReport()
        report.credentialBytes = credential
        report.sequence = sequence
        return report
    }

    private static func description(_ index: UInt64, below parent: UInt64) -> WireDescription {
        var description = WireDescription()
        description.index = index
        let number = String(index)
        description.title = "chunk " + String(repeating: "0", count: 14 - number.count) + number
        if parent != 0 {
            description.parent = WireTaskRef()
            description.parent.index = parent
        }
        return description
    }
}
