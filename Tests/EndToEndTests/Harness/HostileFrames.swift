import Foundation
import TestSupport

/// The frames of Protocol/vectors, and what becomes of them when bits are turned and ends cut.
struct HostileFrames: Sendable {
    /// A frame of the vectors.
    struct Vector: Sendable {
        var name: String
        /// What the receiver expects: 2 for what a client says on control.
        var kind: Int
        /// Of a rejected one, the number of the refusal.
        var code: UInt32?
        var bytes: [UInt8]
    }

    private struct File: Decodable {
        var kind: Int
        var number: UInt32?
        var frame: [Part]
    }

    /// Hexadecimal digits, or some that are repeated.
    private enum Part: Decodable {
        case once(String)
        case repeated(String, times: Int)

        private enum Key: CodingKey {
            case hex, times
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .once(text)
                return
            }
            let fields = try decoder.container(keyedBy: Key.self)
            self = .repeated(
                try fields.decode(String.self, forKey: .hex),
                times: try fields.decode(Int.self, forKey: .times)
            )
        }

        var bytes: [UInt8] {
            switch self {
            case .once(let text): [UInt8](hex: text)
            case .repeated(let text, let times):
                Array(repeatElement([UInt8](hex: text), count: times).joined())
            }
        }
    }

    let accepted: [Vector]
    let rejected: [Vector]

    init() throws {
        accepted = try Self.vectors("accepted")
        rejected = try Self.vectors("rejected")
    }

    /// Frames that differ from the vectors, always the same for a seed.
    func mutations(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        let sources = (accepted + rejected).map(\.bytes)
        return (0..<count).map { _ in
            Self.mutate(sources.randomElement(using: &random) ?? [], using: &random)
        }
    }

    private static func mutate(_ frame: [UInt8], using random: inout SplitMix64) -> [UInt8] {
        var bytes = frame
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0..<max(bytes.count, 1), using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0 where !bytes.isEmpty:
                bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where !bytes.isEmpty: bytes[position] = .random(in: 0 ... .max, using: &random)
            case 2: bytes = Array(bytes.prefix(position))
            case 3:
                bytes.insert(
                    .random(in: 0 ... .max, using: &random),
                    at: min(position, bytes.count)
                )
            case 4 where !bytes.isEmpty: bytes.remove(at: position)
            case 5: bytes += bytes.suffix(from: min(position, bytes.count))
            default:
                bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                    .random(in: 0 ... .max, using: &random)
                }
                // Half of the noise looks like a frame of ours at first.
                if Bool.random(using: &random) { bytes = Array(frame.prefix(8)) + bytes }
            }
        }
        return bytes
    }

    private static func vectors(_ folder: String) throws -> [Vector] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Protocol/vectors/\(folder)").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        return try names.filter { $0.hasSuffix(".json") }.map { name in
            let data = try Data(contentsOf: root.appendingPathComponent(name))
            let file = try JSONDecoder().decode(File.self, from: data)
            return Vector(
                name: "\(folder)/\(name)",
                kind: file.kind,
                code: file.number,
                bytes: file.frame.flatMap(\.bytes)
            )
        }
    }
}
