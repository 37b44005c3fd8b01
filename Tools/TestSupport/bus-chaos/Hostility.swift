import BusProtocol
import Foundation
import ProgressBus
import TestSupport
import ZeroMQ

/// A client that sends what nobody should: mutated vectors at full speed, to control and reports.
///
/// `bus-chaos hostile VECTORS SEED COUNT`: until the conductor is gone or ends it; the file COUNT
/// says how many frames were taken. In between come valid frames with a credential of its own.
struct Hostility {
    private let sources: [[UInt8]]
    private let seed: UInt64
    private let countPath: String

    init?(_ arguments: [String]) {
        guard arguments.count == 3, let seed = UInt64(arguments[1]) else { return nil }
        sources = Self.own + Self.vectors(arguments[0])
        guard sources.count > Self.own.count else { return nil }
        self.seed = seed
        countPath = arguments[2]
    }

    func run() {
        var chance = Chance(seed)
        let conductor = getppid()
        var sent = 0
        while getppid() == conductor {
            do {
                sent += try burst(for: chance.milliseconds(300...1_500), &chance)
            } catch {
                complain("\(error)")
            }
            try? Data("\(sent)".utf8).write(to: URL(fileURLWithPath: countPath), options: .atomic)
            // Between bursts the others are to get somewhere, or there would be nothing to compare.
            usleep(UInt32(chance.number(100...1_000)) * 1_000)
        }
    }

    /// Sends on a new pair of connections as fast as they are taken; returns how many frames were.
    private func burst(for time: Duration, _ chance: inout Chance) throws -> Int {
        let endpoint = try BusEndpoint.resolve(
            explicit: nil,
            environment: ProcessInfo.processInfo.environment
        ).endpoint
        let context = try ZeroMQContext()
        let control = try ZeroMQSocket(.dealer, in: context)
        try control.set(.immediate, to: 1)
        try control.prepare(for: endpoint, reconnectMilliseconds: (first: 50, longest: 500))
        try control.connect(endpoint.controlAddress)
        let reports = try ZeroMQSocket(.xpub, in: context)
        try reports.set(.immediate, to: 1)
        try reports.set(.noDrop, to: 1)
        try reports.prepare(for: endpoint, reconnectMilliseconds: (first: 50, longest: 500))
        try reports.connect(endpoint.reportsAddress)
        let end = ContinuousClock.now + time
        var sent = 0
        var none: [PollItem] = []
        while .now < end {
            let source = sources[chance.number(0...sources.count - 1)]
            let frame = chance.oneIn(8) ? source : mutate(source, &chance)
            // Now and then a message of many parts.
            let parts = chance.oneIn(50) ? Array(repeating: frame, count: 20) : [frame]
            var isTaken = try control.send(parts)
            // A publisher passes on only what begins with the subscribed bytes.
            let report = Array("PBUS".utf8) + frame.dropFirst(4)
            isTaken = try reports.send([report]) || isTaken
            if isTaken { sent += 1 } else { _ = try poll(&none, timeout: 1) }
            while try control.receive() != nil {}
            while try reports.receive() != nil {}
        }
        return sent
    }

    private func mutate(_ frame: [UInt8], _ chance: inout Chance) -> [UInt8] {
        var bytes = frame
        for _ in 0..<chance.number(1...4) {
            let place = chance.number(0...max(bytes.count - 1, 0))
            switch chance.number(0...5) {
            case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(chance.number(0...7))
            case 1 where !bytes.isEmpty: bytes[place] = UInt8(chance.number(0...255))
            case 2: bytes = Array(bytes.prefix(place))
            case 3:
                let other = sources[chance.number(0...sources.count - 1)]
                bytes = Array(bytes.prefix(place)) + other.suffix(chance.number(0...other.count))
            case 4: bytes += bytes.suffix(from: min(place, bytes.count)).prefix(100_000)
            default: bytes.insert(UInt8(chance.number(0...255)), at: min(place, bytes.count))
            }
        }
        return bytes.count > 2_000_000 ? frame : bytes
    }

    /// What a client of the protocol could say: a job that succeeds, fails and is reported again.
    private static var own: [[UInt8]] {
        var hello = WireClientFrame()
        hello.credentialBytes = Array("a hostile client".utf8)
        hello.hello.session = 0x6D61_6C69_6365
        hello.hello.process.pid = 1
        hello.hello.process.command = "hostile"
        var endings = hello
        endings.endings.sequence = 2
        endings.endings.endings = [WireEnding(), WireEnding()]
        for (number, state) in [WireStatedState.succeeded, .failed].enumerated() {
            endings.endings.endings[number].description_p.index = UInt64(number + 1)
            endings.endings.endings[number].description_p.title = "Hostile job"
            endings.endings.endings[number].state = state
        }
        var report = WireReport()
        report.credentialBytes = hello.credentialBytes
        report.sequence = 3
        report.descriptions = endings.endings.endings.map(\.description_p)
        report.amountIndex = [1, 2]
        report.completed = [.max, .max]
        report.total = [1, 0]
        return [Frame.encode(hello), Frame.encode(endings), Frame.encode(report)]
    }

    /// The bytes of all vectors.
    private static func vectors(_ path: String) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for folder in ["accepted", "rejected"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder))
            for name in (names ?? []).sorted() where name.hasSuffix(".json") {
                guard let data = FileManager.default.contents(atPath: "\(path)/\(folder)/\(name)"),
                    let vector = try? JSONDecoder().decode(Vector.self, from: data)
                else { continue }
                frames.append(vector.frame.flatMap(\.bytes))
            }
        }
        return frames
    }
}

/// A vector's bytes: hexadecimal digits, or some that are repeated.
private struct Vector: Decodable {
    struct Part: Decodable {
        let bytes: [UInt8]

        private enum Key: CodingKey {
            case hex, times
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                bytes = [UInt8](hex: text)
                return
            }
            let fields = try decoder.container(keyedBy: Key.self)
            let once = [UInt8](hex: try fields.decode(String.self, forKey: .hex))
            let times = try fields.decode(Int.self, forKey: .times)
            bytes = Array(repeatElement(once, count: max(0, min(times, 2_000_000))).joined())
        }
    }

    let frame: [Part]
}
