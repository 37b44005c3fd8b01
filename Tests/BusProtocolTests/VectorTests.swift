import BusProtocol
import Foundation
import Testing

/// `Protocol/vectors` and the code say the same.
///
/// With PROGRESSBUS_RECORD=1 the files are written anew from the catalogue.
@Suite struct VectorTests {
    private static let isRecording =
        ProcessInfo.processInfo.environment["PROGRESSBUS_RECORD"] == "1"

    private static func folder(_ vector: VectorCase) -> URL {
        ProtocolFolder.url.appending(path: "vectors")
            .appending(path: vector.isAccepted ? "accepted" : "rejected")
    }

    @Test(arguments: Vectors.accepted)
    func anAcceptedFrameDecodesToItsMeaning(vector: VectorCase) throws {
        guard case .accepted(let message) = vector.expectation else { return }
        #expect(try isEqual(vector.decode(), message))
    }

    @Test(arguments: Vectors.rejected)
    func aRejectedFrameIsRefusedWithItsCodeAndASentence(vector: VectorCase) {
        guard case .rejected(let code) = vector.expectation else { return }
        let violation = #expect(throws: ProtocolViolation.self) { try vector.decode() }
        #expect(violation?.code == code)
        let sentence = violation?.sentence ?? ""
        #expect(sentence.hasSuffix("."))
        #expect(sentence.utf8.count <= ProtocolLimits.sentenceBytes)
        #expect((violation?.major != nil) == (code == .wrongMajor))
    }

    @Test(arguments: Vectors.all)
    func theFileOfAVectorSaysTheSame(vector: VectorCase) throws {
        let folder = Self.folder(vector)
        let url = folder.appending(path: vector.name + ".json")
        let expected = try VectorFile(vector)
        if Self.isRecording {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try expected.write(to: url)
        }
        let file = try VectorFile(contentsOf: url)
        #expect(file.frame == vector.bytes)
        #expect(Set(file.fields.keys) == Set(expected.fields.keys))
        for field in ["name", "about", "direction", "code", "message"] {
            #expect(file.text(field) == expected.text(field))
        }
        #expect(file.number("kind") == Int(vector.kind.rawValue))
        #expect(file.number("number") == expected.number("number"))
        guard case .accepted(let message) = vector.expectation else { return }
        #expect(try isMeant(message, by: file))
    }

    @Test func thereIsNoFileWithoutAVector() throws {
        for (folder, vectors) in [("accepted", Vectors.accepted), ("rejected", Vectors.rejected)] {
            let url = ProtocolFolder.url.appending(path: "vectors").appending(path: folder)
            let files = try FileManager.default.contentsOfDirectory(atPath: url.path)
            #expect(Set(files) == Set(vectors.map { $0.name + ".json" }))
            #expect(Set(vectors.map(\.name)).count == vectors.count)
        }
    }

    @Test func everyKindOfMessageHasAnAcceptedVector() throws {
        let text = try ProtocolFolder.text("progressbus.proto")
        let bodies = SchemaText(text).messages.filter {
            ["ClientFrame", "BrokerFrame"].contains($0.name)
        }
        .flatMap { message in
            message.fields.filter { $0.kind == "SingularMessage" }.map {
                "\(message.name).\($0.name)"
            }
        }
        #expect(bodies.count == 34)
        let files = try Vectors.accepted.map { try VectorFile($0) }
        let covered = files.flatMap { file in
            let kind = file.text("message").split(separator: ".").last ?? ""
            return (file.fields["meaning"] as? [String: Any] ?? [:]).keys.map { "\(kind).\($0)" }
        }
        #expect(Set(bodies).subtracting(covered) == [])
    }

    @Test func everyCodeOfTheDecoderHasARejectedVector() {
        let codes = Vectors.rejected.compactMap { vector -> RefusalCode? in
            if case .rejected(let code) = vector.expectation { code } else { nil }
        }
        let decoding: Set<RefusalCode> = [
            .malformed, .wrongMajor, .tooLarge, .tooLong, .outOfRange, .tooMany, .badCredential,
            .unknownTopic,
        ]
        #expect(Set(codes) == decoding)
    }

    private func isMeant<M: VectorMessage>(_ message: M, by file: VectorFile) throws -> Bool {
        try file.meaning(as: M.self) == message
    }
}

/// Whether two messages are of the same type and equal.
func isEqual<M: VectorMessage>(_ message: M, _ other: any VectorMessage) -> Bool {
    message == other as? M
}
