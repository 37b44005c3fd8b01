import BusProtocol
import Foundation
import SwiftProtobuf
import TaskTree
import TestSupport
import Testing

/// Files of the spool, as `Protocol/vectors/spool` has them and as accidents make them.
///
/// With PROGRESSBUS_RECORD=1 the files are written anew from the catalogue.
@Suite struct SpoolTests {
    private static let isRecording =
        ProcessInfo.processInfo.environment["PROGRESSBUS_RECORD"] == "1"
    private static let folder = ProtocolFolder.url.appending(path: "vectors/spool")

    @Test(
        "a file of the spool: read as it is meant or refused in words",
        arguments: SpoolVector.all
    )
    func vector(vector: SpoolVector) throws {
        if let frames = vector.frames {
            let file = try SpoolFile(decoding: vector.bytes)
            #expect(file.frames == frames)
            let isRequest = frames.first?.body?.isHello == false
            #expect(file.session == (isRequest ? SessionID(rawValue: 0) : Samples.session))
        } else {
            let violation = try #require(throws: SpoolViolation.self) {
                try SpoolFile(decoding: vector.bytes)
            }
            #expect(!violation.reason.isEmpty)
        }
    }

    @Test("the file of a vector: says the same as the catalogue", arguments: SpoolVector.all)
    func file(vector: SpoolVector) throws {
        let url = Self.folder.appending(path: vector.name + ".json")
        let expected = try Self.json(vector)
        if Self.isRecording {
            try FileManager.default.createDirectory(
                at: Self.folder,
                withIntermediateDirectories: true
            )
            let options: JSONSerialization.WritingOptions = [
                .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
            ]
            let data = try JSONSerialization.data(withJSONObject: expected, options: options)
            try (data + Data("\n".utf8)).write(to: url)
        }
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        let found = try #require(object as? NSDictionary)
        #expect(found == expected as NSDictionary)
    }

    @Test("the folder: no file without a vector")
    func folder() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(SpoolVector.all.map { $0.name + ".json" }))
    }

    @Test("any one bit turned, any end cut off: refused")
    func accidents() {
        let bytes = SpoolFile.encode(SpoolVector.job)
        for position in bytes.indices {
            #expect(throws: SpoolViolation.self) {
                try SpoolFile(decoding: Array(bytes.prefix(position)))
            }
            for bit in 0..<8 {
                var damaged = bytes
                damaged[position] ^= 1 << bit
                #expect(throws: SpoolViolation.self) { try SpoolFile(decoding: damaged) }
            }
        }
    }

    @Test("bytes of all kinds with a right checksum: read or refused, never more")
    func mutations() {
        let seed: UInt64 = 4
        var random = SplitMix64(seed: seed)
        for _ in 0..<3_000 {
            var bytes = Array(SpoolFile.encode(SpoolVector.job).dropLast(8))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 8..<bytes.count, using: &random)] = .random(
                    in: 0...255,
                    using: &random
                )
            }
            bytes += [0, 0, 0, 0]
            let checksum = crc(bytes)
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
            guard let file = try? SpoolFile(decoding: bytes) else { continue }
            #expect(file.session.rawValue != 0)
        }
    }

    @Test("a file at the limits: taken; one frame, statement or byte more: refused")
    func limits() throws {
        let goodbyes = repeatElement(SpoolVector.goodbye, count: SpoolLimits.frames - 1)
        let most = SpoolFile.encode([SpoolVector.hello] + goodbyes)
        #expect(try SpoolFile(decoding: most).frames.count == SpoolLimits.frames)
        let more = SpoolFile.encode([SpoolVector.hello, SpoolVector.goodbye] + goodbyes)
        #expect(throws: SpoolViolation.self) { try SpoolFile(decoding: more) }

        func endings(_ count: Int) -> WireClientFrame {
            Samples.client(
                .endings(
                    .with {
                        $0.sequence = 1
                        $0.endings = Array(
                            repeating: .with { $0.description_p.index = 1 },
                            count: count
                        )
                    }
                )
            )
        }
        func statements(_ count: Int) -> [UInt8] {
            let most = ProtocolLimits.listItems
            let full = Array(repeating: endings(most), count: count / most)
            return SpoolFile.encode([SpoolVector.hello] + full + [endings(count % most)])
        }
        let file = try SpoolFile(decoding: statements(SpoolLimits.statements))
        #expect(file.statements == SpoolLimits.statements)
        #expect(throws: SpoolViolation.self) {
            try SpoolFile(decoding: statements(SpoolLimits.statements + 1))
        }
        #expect(throws: SpoolViolation.self) {
            try SpoolFile(decoding: [UInt8](repeating: 0, count: SpoolLimits.fileBytes + 1))
        }
    }

    private static func json(_ vector: SpoolVector) throws -> [String: Any] {
        var options = JSONEncodingOptions()
        options.preserveProtoFieldNames = true
        var fields: [String: Any] = [
            "name": vector.name, "about": vector.about, "file": [vector.bytes.hex],
        ]
        fields["frames"] = try vector.frames?.map { frame in
            try JSONSerialization.jsonObject(
                with: Data(frame.jsonString(options: options).utf8)
            )
        }
        return fields
    }

    /// ISO 3309, bit by bit.
    private func crc(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = value & 1 == 1
                value >>= 1
                if isOdd { value ^= 0xedb8_8320 }
            }
        }
        return ~value
    }
}

extension WireClientFrame.OneOf_Body {
    fileprivate var isHello: Bool {
        if case .hello = self { true } else { false }
    }
}
