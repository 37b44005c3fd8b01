import BusProtocol
import Foundation
import SwiftProtobuf
import TestSupport

/// A file of `Protocol/vectors`.
///
/// `frame` is a list of parts: hexadecimal digits, or `{"hex": …, "times": n}` for bytes repeated.
/// `meaning` is the message in the JSON mapping of protobuf, with the field names of the schema.
struct VectorFile {
    var fields: [String: Any]

    init(_ vector: VectorCase) throws {
        fields = [
            "name": vector.name,
            "about": vector.about,
            "kind": Int(vector.kind.rawValue),
            "direction": vector.kind.direction,
            "frame": vector.frame.map(\.json),
        ]
        switch vector.expectation {
        case .accepted(let message):
            fields["message"] = type(of: message).protoMessageName
            fields["meaning"] = try JSONSerialization.jsonObject(with: Data(message.json().utf8))
        case .rejected(let code):
            fields["code"] = code.name
            fields["number"] = Int(code.rawValue)
        }
    }

    init(contentsOf url: URL) throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        fields = object as? [String: Any] ?? [:]
    }

    func write(to url: URL) throws {
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
        ]
        let data = try JSONSerialization.data(withJSONObject: fields, options: options)
        try (data + Data("\n".utf8)).write(to: url)
    }

    var frame: [UInt8] {
        let parts = fields["frame"] as? [Any] ?? []
        return parts.flatMap { part -> [UInt8] in
            if let hex = part as? String { return [UInt8](hex: hex) }
            let repeated = part as? [String: Any]
            return FramePart(
                bytes: [UInt8](hex: repeated?["hex"] as? String ?? ""),
                times: repeated?["times"] as? Int ?? 0
            ).bytes
        }
    }

    func text(_ field: String) -> String { fields[field] as? String ?? "" }

    func number(_ field: String) -> Int? { fields[field] as? Int }

    /// What the file says the frame means, as a message of the given type.
    func meaning<M: VectorMessage>(as type: M.Type) throws -> M {
        let data = try JSONSerialization.data(withJSONObject: fields["meaning"] as Any)
        return try M(jsonUTF8Bytes: data)
    }
}

extension FramePart {
    fileprivate var json: Any {
        times == 1 ? once.hex : ["hex": once.hex, "times": times] as [String: Any]
    }
}

extension Message {
    fileprivate func json() throws -> String {
        var options = JSONEncodingOptions()
        options.preserveProtoFieldNames = true
        return try jsonString(options: options)
    }
}

/// The folder `Protocol` of this checkout.
enum ProtocolFolder {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Protocol")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
