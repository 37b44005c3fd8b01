import BusProtocol
import SwiftProtobuf
import Testing

/// Endings and updates are written by hand: byte for byte what the generated messages would write.
@Suite struct WritingTests {
    @Test func `written endings are those of the generated message`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        let header = Frame.encode(WireClientFrame())
        var count = 0
        for round in 0..<2_000 {
            let frame = messages.clientFrame()
            guard case .endings(let endings)? = frame.body else { continue }
            count += 1
            let generated: [UInt8] = try frame.serializedBytes()
            #expect(Frame.encode(frame) == header + generated, "seed \(seed), round \(round)")
            let payload: [UInt8] = try endings.serializedBytes()
            #expect(Payload.encode(endings) == payload, "seed \(seed), round \(round)")
        }
        #expect(count > 100, "seed \(seed)")
    }

    @Test func `an update without rows is written as the generated message`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var messages = RandomMessages(seed: seed)
        for round in 0..<1_000 {
            var update = messages.update()
            update.rows = []
            #expect(
                Frame.encode(Outgoing(update)) == Frame.encode(update),
                "seed \(seed), round \(round)"
            )
        }
    }

    @Test func `all fields of the schema are among those that are written by hand`() throws {
        let schema = SchemaText(try ProtocolFolder.text("progressbus.proto"))
        // Whoever adds a field writes it in BusProtocol/Writing or Rows too, and counts it here.
        let written = [
            "Update": 11, "Removed": 2, "LogLine": 3, "Totals": 9, "Counts": 6, "Endings": 3,
            "Ending": 8, "Description": 20, "Clock": 3, "Fold": 9, "UnitSum": 3, "TaskRef": 2,
            "Row": 4, "RowDescription": 22, "RowProgress": 26, "Process": 8,
        ]
        for (name, count) in written {
            let fields = schema.messages.first { $0.name == name }?.fields
            #expect(fields?.count == count, "\(name)")
        }
    }

    @Test func `extreme values are written as by the generated message`() throws {
        var ending = WireEnding()
        ending.description_p.index = .max
        ending.description_p.share = .min
        ending.description_p.expectedChildren = .max
        ending.description_p.expectedGap = -0.0
        ending.description_p.begun = -0.0
        ending.description_p.style = .UNRECOGNIZED(-1)
        ending.description_p.place = 0
        ending.description_p.cell = .max
        ending.description_p.title = String(repeating: "ü", count: 20_000)
        ending.state = .UNRECOGNIZED(.init(Int32.max))
        ending.completed = .min
        ending.total = .max
        ending.time = .nan
        ending.clock = WireClock()
        var fold = WireFold()
        fold.removed = [0, 1, 127, 128, .max]
        var endings = WireEndings()
        endings.endings = [ending, WireEnding()]
        endings.folds = [fold, WireFold()]
        #expect(try Payload.encode(endings) == endings.serializedBytes() as [UInt8])
    }
}
