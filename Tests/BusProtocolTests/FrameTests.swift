import BusProtocol
import SwiftProtobuf
import Testing

@Suite struct FrameTests {
    @Test func randomMessagesComeOutOfTheirFramesAsTheyWentIn() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        for round in 0..<300 {
            let report = messages.report()
            let client = messages.clientFrame()
            let broker = messages.brokerFrame()
            let update = messages.update()
            let label = Comment(rawValue: "seed \(seed), round \(round)")
            #expect(try Frame.decodeReport(Frame.encode(report)) == report, label)
            #expect(try Frame.decodeClient(Frame.encode(client)) == client, label)
            #expect(try Frame.decodeBroker(Frame.encode(broker)) == broker, label)
            #expect(try Frame.decodeUpdate(Frame.encode(update)) == update, label)
        }
    }

    @Test func aFrameBeginsWithItsHeader() {
        #expect(
            Frame.encode(WireReport()) == [0x50, 0x42, 0x55, 0x53, 1, 0, 1, 0]
                && Frame.encode(WireClientFrame())[6] == 2
                && Frame.encode(WireBrokerFrame())[6] == 3 && Frame.encode(WireUpdate())[6] == 4
        )
    }

    @Test func aNewerMinorVersionIsRead() throws {
        var frame = Frame.encode(Samples.client(.heartbeat(WireHeartbeat())))
        frame[5] = 9
        #expect(try Frame.decodeClient(frame).body == .heartbeat(WireHeartbeat()))
    }

    @Test func theReservedByteIsIgnored() throws {
        var frame = Frame.encode(Samples.client(.heartbeat(WireHeartbeat())))
        frame[7] = 0xff
        #expect(try Frame.decodeClient(frame).body == .heartbeat(WireHeartbeat()))
    }

    @Test func anotherMajorVersionIsNamedWithBothVersions() {
        var frame = Frame.encode(Samples.client(.heartbeat(WireHeartbeat())))
        frame[4] = 3
        frame[5] = 2
        let violation = #expect(throws: ProtocolViolation.self) { try Frame.decodeClient(frame) }
        #expect(violation?.code == .wrongMajor)
        #expect(violation?.major == 3)
        #expect(violation?.sentence.contains("3.2") == true)
        #expect(violation?.sentence.contains(ProtocolVersion.text) == true)
    }

    @Test func unknownFieldsAreDropped() throws {
        let known = Samples.client(.heartbeat(.with { $0.sequence = 7 }))
        // Field 2000, a text.
        let frame = known.frame + [0x82, 0x7d, 0x02, 0x68, 0x69]
        #expect(try Frame.decodeClient(frame) == known)
    }

    @Test func aFrameOfTheGreatestLengthIsRead() throws {
        let known = Samples.client(.heartbeat(WireHeartbeat()))
        var frame = known.frame
        // Field 100, bytes that fill the frame up: the tag and its length take five bytes.
        let filling = ProtocolLimits.clientFrameBytes - frame.count - 5
        frame +=
            [0xa2, 0x06] + [
                UInt8(filling & 0x7f) | 0x80, UInt8(filling >> 7 & 0x7f) | 0x80,
                UInt8(filling >> 14),
            ]
        frame += [UInt8](repeating: 0, count: filling)
        #expect(frame.count == ProtocolLimits.clientFrameBytes)
        #expect(try Frame.decodeClient(frame) == known)
    }

    @Test func asManyListItemsAsAllowedAreRead() throws {
        let description: [UInt8] = [0xa2, 0x01, 0x02, 0x08, 0x01]
        let frame = FramePart(bytes: description, times: ProtocolLimits.listItems).bytes
        let report = try Frame.decodeReport(Samples.report { _ in }.frame + frame)
        #expect(report.descriptions.count == ProtocolLimits.listItems)
    }

    @Test func tooManyEndingsAreRefusedBeforeTheyAreDecoded() {
        // Empty endings would be malformed, if they were looked at.
        let endings: [UInt8] = FramePart(bytes: [0x12, 0x00], times: 5_000).bytes
        let frame = Samples.client(nothing).frame + [0x22, 0x90, 0x4e] + endings
        let violation = #expect(throws: ProtocolViolation.self) { try Frame.decodeClient(frame) }
        #expect(violation?.code == .tooMany)
    }

    @Test func codesHaveDistinctNumbersAndNames() {
        // 7 was never sent, and is given to nothing else.
        #expect(RefusalCode.all.map(\.code.rawValue) == Array(1...6) + Array(8...22))
        #expect(Set(RefusalCode.all.map(\.name)).count == RefusalCode.all.count)
        #expect(RefusalCode.ticketUsed.name == "ticket-used")
        #expect(RefusalCode(rawValue: 4711).name == "code-4711")
    }

    private let nothing = WireClientFrame.OneOf_Body.heartbeat(WireHeartbeat())
}
