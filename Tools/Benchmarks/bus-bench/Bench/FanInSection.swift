import BusProtocol
import Foundation
import RawZeroMQ
import ZeroMQ

/// How many frames of one changed task the broker takes in, of many sessions that send as fast as
/// they can, beside a socket that only receives the very same.
enum FanInSection {
    private static let sessions = 100
    private static let processes = 4

    static func measure(_ plan: Plan, _ report: inout Report) async throws {
        var raw: [Double] = []
        var broker: [Double] = []
        for _ in 0..<plan.rounds {
            let directory = try newDirectory()
            let receiver = try ChildProcess(
                role: ["receive", "ipc://\(directory)/reports"],
                endpoint: ""
            )
            raw.append(try rate(plan, endpoint: "ipc://\(directory)", isRaw: true))
            kill(receiver.pid, SIGKILL)
            try? FileManager.default.removeItem(atPath: directory)
            let real = try RealBroker()
            broker.append(try rate(plan, endpoint: real.endpoint, isRaw: false))
        }
        report.add("fan-in of libzmq alone, 100 sessions", Figure(raw, unit: "frames/s"))
        report.add(
            "fan-in of the broker, 100 sessions",
            Figure(broker, unit: "frames/s").beside(
                "fan-in of libzmq alone, 100 sessions",
                ratios(broker, to: raw),
                target: .ratioAtLeast(0.6)
            )
        )
    }

    /// Frames per second that libzmq takes while all queues are full: as many as the receiver does.
    private static func rate(_ plan: Plan, endpoint: String, isRaw: Bool) throws -> Double {
        let path = "/tmp/pbb.\(getpid()).shared"
        unlink(path)
        guard let shared = fan_in_map(path) else { throw Obstacle("cannot map \(path)") }
        defer { unlink(path) }
        let senders = try (0..<processes).map {
            try ChildProcess(
                role: ["send", path, "\($0)", "\(sessions / processes)", isRaw ? "raw" : "broker"],
                endpoint: endpoint
            )
        }
        defer { for sender in senders { kill(sender.pid, SIGKILL) } }
        let end = ContinuousClock.now + .seconds(20)
        while fan_in_ready(shared) < processes {
            guard ContinuousClock.now < end else { throw Obstacle("not all sessions connect") }
            // They are other processes, and memory that is shared has no call to wait in.
            usleep(1_000)
        }
        fan_in_go(shared)
        // Until all queues are full, the kernel's too: before that the receiver is not what is measured.
        usleep(plan.isQuick ? 100_000 : 4_000_000)
        let before = fan_in_sent(shared)
        let began = ContinuousClock.now
        // The time that is measured.
        usleep(plan.isQuick ? 100_000 : 2_000_000)
        let sent = fan_in_sent(shared) - before
        return Double(sent) / (began.duration(to: .now) / .seconds(1))
    }

    // MARK: - In a process of its own

    /// Sends without end: FILE SLOT SESSIONS raw|broker.
    static func send(_ arguments: [String]) {
        guard arguments.count == 4, let slot = Int32(arguments[1]), let count = Int(arguments[2]),
            let shared = fan_in_map(arguments[0])
        else { fail(64, "send FILE SLOT SESSIONS raw|broker") }
        do {
            let endpoint = try BusEndpoint.resolve(
                explicit: nil,
                environment: ProcessInfo.processInfo.environment
            ).endpoint
            let speakers = (0..<count).map {
                Speaker(session: UInt64(slot) * 1_000 + UInt64($0) + 1)
            }
            let context = try ZeroMQContext()
            if arguments[3] == "broker" {
                for speaker in speakers { try speaker.introduce(to: endpoint, in: context) }
            }
            let first = speakers.flatMap { Frame.encode($0.beginning()) }
            // Numbers that take five bytes each, as all that follow do.
            let number = Int64(1) << 28
            var later = speakers.map { Frame.encode($0.change(UInt64(number), to: number >> 1)) }
            guard
                let places = Self.places(of: number, in: later[0]),
                Set(later.map(\.count)).count == 1
            else { fail(70, "the frames are not as this program expects them") }
            let size = later[0].count
            var buffer = later.flatMap { $0 }
            later = []
            first.withUnsafeBufferPointer { first in
                buffer.withUnsafeMutableBufferPointer { buffer in
                    let frames = fan_in_frames(
                        first: first.baseAddress,
                        first_size: first.count / count,
                        later: buffer.baseAddress,
                        later_size: size,
                        sequence_at: places[0],
                        amount_at: places[1]
                    )
                    fan_in_send(shared, slot, endpoint.reportsAddress, Int32(count), frames)
                }
            }
        } catch {
            fail(69, "\(error)")
        }
    }

    /// Where a number is that takes five bytes: the sequence, and the amount, which is sent doubled.
    private static func places(of number: Int64, in frame: [UInt8]) -> [Int]? {
        let pattern: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x01]
        let found = frame.indices.filter { frame[$0...].starts(with: pattern) }
        return found.count == 2 ? found : nil
    }
}

/// A session with one task, spoken for by hand.
struct Speaker {
    let session: UInt64
    let credential: [UInt8]

    init(session: UInt64) {
        self.session = session
        credential =
            (0..<8).map { UInt8(truncatingIfNeeded: session >> (8 * $0)) }
            + Array(repeating: 9, count: 8)
    }

    /// Says hello and waits for the welcome; the connection stays as long as the context.
    func introduce(to endpoint: BusEndpoint, in context: ZeroMQContext) throws {
        let control = try connect(to: endpoint, in: context)
        var items = [control.pollItem]
        let end = ContinuousClock.now + .seconds(10)
        while try control.receive() == nil {
            _ = try poll(&items, timeout: 100)
            guard ContinuousClock.now < end else { throw Obstacle("no welcome") }
        }
    }

    func connect(to endpoint: BusEndpoint, in context: ZeroMQContext) throws -> ZeroMQSocket {
        let control = try ZeroMQSocket(.dealer, in: context)
        try control.connect(endpoint.controlAddress)
        var hello = frame()
        hello.hello.session = session
        _ = try control.send([Frame.encode(hello)])
        return control
    }

    func frame() -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes = credential
        return frame
    }

    func beginning() -> WireReport {
        var report = WireReport()
        report.credentialBytes = credential
        report.sequence = 1
        report.keyframe = 1
        report.keyframeLast = true
        var description = WireDescription()
        description.index = 1
        description.title = "Session \(session + 1_000_000)"
        report.descriptions = [description]
        return report
    }

    func change(_ sequence: UInt64, to amount: Int64) -> WireReport {
        var report = WireReport()
        report.credentialBytes = credential
        report.sequence = sequence
        report.amountIndex = [1]
        report.completed = [amount]
        report.total = [-1]
        return report
    }
}
