import Foundation
import Testing

/// The committed generated code is what the schema gives, as far as that can be seen without protoc.
@Suite struct SchemaTests {
    private let schema: SchemaText
    private let generated: String

    init() throws {
        schema = SchemaText(try ProtocolFolder.text("progressbus.proto"))
        generated = try ProtocolFolder.text(
            "../Sources/BusProtocol/Generated/progressbus.pb.swift"
        )
    }

    @Test func theSchemaIsReadAsAWhole() {
        #expect(schema.messages.count > 40)
        #expect(schema.enumerations.map(\.name).contains("ShownState"))
        let report = schema.messages.first { $0.name == "Report" }
        #expect(report?.fields.count == 19)
    }

    @Test func everyMessageHasTheFieldsNamesAndTypesOfTheSchema() {
        let parts = generated.components(separatedBy: "nonisolated extension Wire").dropFirst()
        var seen: Set<String> = []
        for part in parts {
            guard
                let name = part.match(
                    "protoMessageName: String = _protobuf_package \\+ \"\\.(\\w+)\""
                )
            else { continue }
            seen.insert(name)
            let names = nameMap(in: part)
            let kinds = part.matches(
                "visitor\\.visit(\\w+)Field\\(value: .*?fieldNumber: (\\d+)\\)"
            )
            let fields = kinds.map { kind in
                let number = Int(kind[1]) ?? 0
                return SchemaText.Field(number: number, name: names[number] ?? "", kind: kind[0])
            }
            let expected = schema.messages.first { $0.name == name }?.fields ?? []
            #expect(Set(fields) == Set(expected), "message \(name)")
        }
        #expect(seen == Set(schema.messages.map(\.name)))
    }

    @Test func everyEnumHasTheValuesOfTheSchema() {
        for enumeration in schema.enumerations {
            let part = generated.components(
                separatedBy: "extension Wire\(enumeration.name): SwiftProtobuf._ProtoNameProviding"
            ).last
            #expect(nameMap(in: part ?? "") == enumeration.values, "enum \(enumeration.name)")
        }
    }

    /// Reads the generator's compact list of names: after a version byte, an instruction (1 and 3:
    /// the next number, 2 and 4: a step follows), the name, a zero.
    private func nameMap(in part: String) -> [Int: String] {
        guard let literal = part.match("_NameMap\\(bytecode: \"(.*?)\"\\)") else { return [:] }
        var bytes = unescaped(literal)[...]
        guard bytes.popFirst() == 0 else { return [:] }
        var names: [Int: String] = [:]
        var number = 0
        while let instruction = bytes.popFirst() {
            switch instruction {
            case 1, 3: number += 1
            case 2, 4: number += Int(bytes.popFirst() ?? 0)
            default: return [:]
            }
            names[number] = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            bytes = bytes.drop { $0 != 0 }.dropFirst()
        }
        return names
    }

    /// The bytes of a string literal that has `\0` and `\u{1}` in it.
    private func unescaped(_ literal: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = literal[...]
        while let character = rest.popFirst() {
            guard character == "\\" else {
                bytes += Array(String(character).utf8)
                continue
            }
            if rest.popFirst() == "u" {
                bytes.append(UInt8(rest.dropFirst().prefix { $0 != "}" }, radix: 16) ?? 0xff)
                rest = rest.drop { $0 != "}" }.dropFirst()
            } else {
                bytes.append(0)
            }
        }
        return bytes
    }
}

extension String {
    /// The groups of every place where a regular expression matches.
    fileprivate func matches(_ pattern: String) -> [[String]] {
        guard let expression = try? Regex<AnyRegexOutput>(pattern) else { return [] }
        return matches(of: expression).map { match in
            match.output.dropFirst().map { String($0.substring ?? "") }
        }
    }

    fileprivate func match(_ pattern: String) -> String? {
        matches(pattern).first?.first
    }
}
