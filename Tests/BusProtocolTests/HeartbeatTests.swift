import BusProtocol
import SwiftProtobuf
import TestSupport
import Testing

@Suite("Heartbeats that are recognized without decoding")
struct HeartbeatTests {
    private let credential = SessionCredential(Samples.credential)

    @Test(
        "a report of nothing but credential and sequence",
        arguments: [1, 127, 128, 1 << 20, 1 << 56] as [UInt64]
    )
    func report(sequence: UInt64) {
        let frame = Frame.encode(Samples.report { $0.sequence = sequence })
        let heartbeat = Frame.heartbeat(inReport: frame)
        #expect(heartbeat?.credential == credential)
        #expect(heartbeat?.sequence == sequence)
        #expect(heartbeat?.frame == frame)
        #expect(Frame.heartbeat(inControl: frame) == nil)
    }

    @Test("on the control socket, with and without a sequence")
    func control() {
        for sequence in [0, 1, 300, 1 << 60] as [UInt64] {
            let frame = Frame.encode(
                Samples.client(.heartbeat(.with { $0.sequence = sequence }))
            )
            #expect(Frame.heartbeat(inControl: frame) == credential, "sequence \(sequence)")
            #expect(Frame.heartbeat(inReport: frame) == nil)
        }
    }

    @Test("every vector that says more than that, or is refused, is left to the decoder")
    func vectors() {
        for vector in Vectors.all where !vector.name.hasSuffix("heartbeat") {
            #expect(Frame.heartbeat(inReport: vector.bytes) == nil, "\(vector.name)")
            #expect(Frame.heartbeat(inControl: vector.bytes) == nil, "\(vector.name)")
        }
    }

    @Test("whatever the bytes: what is recognized decodes to just that")
    func mutations() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let frames = [
            Frame.encode(Samples.report { $0.sequence = 300 }),
            Frame.encode(Samples.client(.heartbeat(.with { $0.sequence = 300 }))),
        ]
        var recognized = 0
        for round in 0..<20_000 {
            var frame = frames[round % 2]
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: frame.removeLast(Int.random(in: 0...min(4, frame.count), using: &random))
                case 1: frame.append(.random(in: 0...255, using: &random))
                default:
                    guard let place = frame.indices.randomElement(using: &random) else { continue }
                    frame[place] = .random(in: 0...255, using: &random)
                }
            }
            let label = Comment(rawValue: "seed \(seed), round \(round): \(frame)")
            if let heartbeat = Frame.heartbeat(inReport: frame) {
                recognized += 1
                var expected = WireReport()
                expected.credentialBytes = heartbeat.credential.bytes
                expected.sequence = heartbeat.sequence
                #expect((try? Frame.decodeReport(frame)) == expected, label)
            }
            if let credential = Frame.heartbeat(inControl: frame) {
                recognized += 1
                let client = try? Frame.decodeClient(frame)
                #expect(client?.credentialBytes == credential.bytes, label)
                let isHeartbeat = if case .heartbeat? = client?.body { true } else { false }
                #expect(isHeartbeat, label)
            }
        }
        #expect(recognized > 5_000, "seed \(seed)")
    }
}
