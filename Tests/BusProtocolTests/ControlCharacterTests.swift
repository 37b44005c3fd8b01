import BusProtocol
import SwiftProtobuf
import TestSupport
import Testing

/// No control character comes in, whichever field of whichever message it is in.
///
/// The fields are those of the schema: one that is new is filled as well, and fails here until
/// `accept()` of its message looks at it.
@Suite struct ControlCharacterTests {
    private let texts: TextFields

    init() throws {
        texts = TextFields(SchemaText(try ProtocolFolder.text("progressbus.proto")))
    }

    @Test func noTextOfADecodedFrameHasAControlCharacter() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        var messages = RandomMessages(seed: seed)
        var frames: [any VectorMessage] = Vectors.accepted.compactMap { vector in
            guard case .accepted(let message) = vector.expectation else { return nil }
            return message
        }
        for _ in 0..<100 {
            frames.append(messages.report())
            frames.append(messages.clientFrame())
            frames.append(messages.brokerFrame())
            frames.append(messages.update())
        }
        var filled: Set<String> = []
        for message in frames {
            let dirty = texts.fill(message.frame, message.kind) { Self.text(&random) }
            let clean = try VectorCase.decode(dirty, as: message.kind).frame
            for (field, text) in texts.found(in: clean, message.kind) {
                #expect(!Self.hasControls(text), "\(field), seed \(seed): \(message)")
                if text.hasPrefix(Self.mark) { filled.insert(field) }
            }
        }
        #expect(texts.all.subtracting(filled) == [], "fields of messages that are in no sample")
    }

    @Test func aTopicWithAControlCharacterIsNone() {
        let request = Samples.client(
            .snapshot(
                .with {
                    $0.request = 5
                    $0.topic = "totals\0/"
                }
            )
        )
        let violation = #expect(throws: ProtocolViolation.self) {
            try Frame.decodeClient(request.frame)
        }
        #expect(violation?.code == .unknownTopic)
        #expect(violation?.request == 5)
    }

    @Test func whatTheJournalAndTheSpoolHoldComesTheSameWay() throws {
        var hello = WireHello.with {
            $0.session = 1
            $0.client = "copy\u{1B}[2J 1.0"
        }
        let frame = Samples.client(.hello(hello))
        let spooled = try SpoolFile(decoding: SpoolFile.encode([frame]))
        #expect(spooled.frames.first?.hello.client == "copy [2J 1.0")
        let kept = Payload.decode(WireHello.self, from: Payload.encode(hello))
        #expect(kept?.client == "copy [2J 1.0")

        hello.client = String(repeating: "x", count: ProtocolLimits.clientBytes + 1)
        #expect(Payload.decode(WireHello.self, from: Payload.encode(hello)) == nil)
    }

    @Test func textWithoutControlCharactersIsLeftAsItIs() throws {
        let title = "Größe – 東京 👩‍👩‍👧 “…” \u{A0}\u{2027}\u{202A}"
        let report = Samples.report {
            $0.descriptions = [
                .with {
                    $0.index = 1; $0.title = title
                }
            ]
        }
        #expect(try Frame.decodeReport(report.frame) == report)
    }

    private static let mark = "q"

    /// Short enough for every field.
    private static func text(_ random: inout SplitMix64) -> String {
        let controls = Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029]
        let control = controls.randomElement(using: &random).flatMap(UnicodeScalar.init)
        return mark + String(control ?? "\0") + ["", "x", "日", "xxxxxxxx"][Int(random.next() % 4)]
    }

    /// Said once more, not as the library says it.
    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            [.control, .lineSeparator, .paragraphSeparator]
                .contains(scalar.properties.generalCategory)
        }
    }
}

/// Finds and replaces the texts of frames, by the schema.
private struct TextFields {
    /// All of them as `Message.field`.
    private(set) var all: Set<String> = []
    private var messages: [String: [Int: SchemaText.Field]] = [:]
    private let types: [String: String]

    init(_ schema: SchemaText) {
        types = schema.types
        for message in schema.messages {
            for field in message.fields {
                messages[message.name, default: [:]][field.number] = field
                if field.kind.hasSuffix("String") { all.insert("\(message.name).\(field.name)") }
            }
        }
        // What is asked for must be a topic.
        all.remove("SnapshotRequest.topic")
    }

    /// The frame with another text in every field for one, in those left out as well.
    func fill(_ frame: [UInt8], _ kind: FrameHeader.Kind, _ text: () -> String) -> [UInt8] {
        frame.prefix(FrameHeader.size) + fill(frame.dropFirst(FrameHeader.size), kind.message, text)
    }

    private func fill(
        _ bytes: ArraySlice<UInt8>,
        _ message: String,
        _ text: () -> String
    ) -> [UInt8] {
        var filled: [UInt8] = []
        each(bytes, message) { part in
            switch part.field?.kind {
            case "RepeatedString":
                filled.append(part.number, Array(text().utf8))
            case "SingularMessage", "RepeatedMessage":
                filled.append(part.number, fill(part.content, part.type, text))
            default:
                filled += part.whole
            }
        }
        for (number, field) in messages[message] ?? [:] where field.kind == "SingularString" {
            if all.contains("\(message).\(field.name)") {
                filled.append(number, Array(text().utf8))
            }
        }
        return filled
    }

    /// Every text of a frame with the name of its field.
    func found(in frame: [UInt8], _ kind: FrameHeader.Kind) -> [(field: String, text: String)] {
        found(in: frame.dropFirst(FrameHeader.size), kind.message)
    }

    private func found(
        in bytes: ArraySlice<UInt8>,
        _ message: String
    ) -> [(field: String, text: String)] {
        var all: [(field: String, text: String)] = []
        each(bytes, message) { part in
            guard let field = part.field else { return }
            if field.kind.hasSuffix("String") {
                let text = String(decoding: part.content, as: UTF8.self)
                all.append((field: "\(message).\(field.name)", text: text))
            } else if field.kind.hasSuffix("Message") {
                all += found(in: part.content, part.type)
            }
        }
        return all
    }

    private struct Part {
        var number: Int
        var field: SchemaText.Field?
        /// The message that it holds.
        var type: String
        var content: ArraySlice<UInt8>
        /// With the tag.
        var whole: ArraySlice<UInt8>
    }

    private func each(_ bytes: ArraySlice<UInt8>, _ message: String, _ body: (Part) -> Void) {
        var rest = bytes
        while !rest.isEmpty {
            let start = rest.startIndex
            let tag = rest.takeVarint()
            let size =
                switch tag & 7 {
                case 0: rest.varintSize
                case 1: 8
                case 2: Int(rest.takeVarint())
                default: 4
                }
            let content = rest.prefix(size)
            rest.removeFirst(size)
            let field = messages[message]?[Int(tag >> 3)]
            body(
                Part(
                    number: Int(tag >> 3),
                    field: field,
                    type: types["\(message).\(field?.name ?? "")"] ?? "",
                    content: content,
                    whole: bytes[start..<rest.startIndex]
                )
            )
        }
    }
}

extension FrameHeader.Kind {
    fileprivate var message: String {
        switch self {
        case .report: "Report"
        case .client: "ClientFrame"
        case .broker: "BrokerFrame"
        case .update: "Update"
        case .fleet: "FleetRecord"
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var varintSize: Int { (firstIndex { $0 < 0x80 } ?? endIndex) - startIndex + 1 }

    fileprivate mutating func takeVarint() -> UInt64 {
        let bytes = prefix(varintSize)
        removeFirst(bytes.count)
        return bytes.reversed().reduce(0) { $0 << 7 | UInt64($1 & 0x7F) }
    }
}

extension [UInt8] {
    /// A field with a length.
    fileprivate mutating func append(_ number: Int, _ content: [UInt8]) {
        appendVarint(UInt64(number) << 3 | 2)
        appendVarint(UInt64(content.count))
        self += content
    }

    private mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
