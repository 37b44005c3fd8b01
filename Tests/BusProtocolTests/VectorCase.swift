import BusProtocol
import SwiftProtobuf
import Testing

/// One frame of `Protocol/vectors`, with what must come of it.
struct VectorCase: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable {
        case accepted(any VectorMessage)
        case rejected(RefusalCode)
    }

    var name: String
    var kind: FrameHeader.Kind
    var about: String
    var frame: [FramePart]
    var expectation: Expectation

    var testDescription: String { name }

    var bytes: [UInt8] { frame.flatMap(\.bytes) }

    var isAccepted: Bool {
        if case .accepted = expectation { true } else { false }
    }

    static func accepted(
        _ name: String,
        _ message: any VectorMessage,
        _ about: String
    ) -> VectorCase {
        VectorCase(
            name: name,
            kind: message.kind,
            about: about,
            frame: [FramePart(bytes: message.frame)],
            expectation: .accepted(message)
        )
    }

    static func rejected(
        _ name: String,
        _ code: RefusalCode,
        _ message: any VectorMessage,
        _ about: String
    ) -> VectorCase {
        VectorCase(
            name: name,
            kind: message.kind,
            about: about,
            frame: [FramePart(bytes: message.frame)],
            expectation: .rejected(code)
        )
    }

    static func rejected(
        _ name: String,
        _ code: RefusalCode,
        _ kind: FrameHeader.Kind,
        _ frame: [FramePart],
        _ about: String
    ) -> VectorCase {
        VectorCase(
            name: name,
            kind: kind,
            about: about,
            frame: frame,
            expectation: .rejected(code)
        )
    }

    /// Decodes the frame as its socket and direction do.
    func decode() throws(ProtocolViolation) -> any VectorMessage {
        try Self.decode(bytes, as: kind)
    }

    static func decode(
        _ bytes: [UInt8],
        as kind: FrameHeader.Kind
    ) throws(ProtocolViolation) -> any VectorMessage {
        switch kind {
        case .report: try Frame.decodeReport(bytes)
        case .client: try Frame.decodeClient(bytes)
        case .broker: try Frame.decodeBroker(bytes)
        case .update: try Frame.decodeUpdate(bytes)
        case .fleet: try Frame.decodeFleet(bytes)
        }
    }
}

/// Bytes, written once and meant so many times.
struct FramePart: Hashable, Sendable {
    var once: [UInt8]
    var times = 1

    init(bytes: [UInt8], times: Int = 1) {
        once = bytes
        self.times = times
    }

    var bytes: [UInt8] { Array(repeatElement(once, count: times).joined()) }
}

/// A top-level message and the frame it travels in.
protocol VectorMessage: Message, Equatable {
    var kind: FrameHeader.Kind { get }
    var frame: [UInt8] { get }
}

extension WireReport: VectorMessage {
    var kind: FrameHeader.Kind { .report }
    var frame: [UInt8] { Frame.encode(self) }
}

extension WireClientFrame: VectorMessage {
    var kind: FrameHeader.Kind { .client }
    var frame: [UInt8] { Frame.encode(self) }
}

extension WireBrokerFrame: VectorMessage {
    var kind: FrameHeader.Kind { .broker }
    var frame: [UInt8] { Frame.encode(self) }
}

extension WireUpdate: VectorMessage {
    var kind: FrameHeader.Kind { .update }
    var frame: [UInt8] { Frame.encode(self) }
}

extension WireFleetRecord: VectorMessage {
    var kind: FrameHeader.Kind { .fleet }
    var frame: [UInt8] { Frame.encode(self) }
}

extension FrameHeader.Kind {
    var direction: String {
        switch self {
        case .report: "client to broker, reports socket"
        case .client: "client to broker, control socket"
        case .broker: "broker to client, control socket"
        case .update: "broker to viewer, updates socket, second part"
        case .fleet: "between bridges"
        }
    }
}

extension Sequence<UInt8> {
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
