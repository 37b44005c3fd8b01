/// What the schema says, as far as a test needs it: fields and enum values with their numbers.
struct SchemaText {
    struct Field: Hashable {
        var number: Int
        var name: String
        /// As the generated code names it: `SingularUInt64`, `PackedSInt64`, `RepeatedMessage`.
        var kind: String
    }

    struct Message: Hashable {
        var name: String
        var fields: [Field]
    }

    struct Enumeration: Hashable {
        var name: String
        var values: [Int: String]
    }

    private(set) var messages: [Message] = []
    private(set) var enumerations: [Enumeration] = []
    /// The type of each field as the schema calls it, by `Message.field`.
    private(set) var types: [String: String] = [:]

    init(_ text: String) {
        let lines: [Substring] = text.split(separator: "\n").map { line in
            guard let comment = line.firstRange(of: "//") else { return line }
            return line[..<comment.lowerBound]
        }
        let enumNames = lines.compactMap { Self.name(in: $0, after: "enum") }
        for line in lines {
            if let name = Self.name(in: line, after: "message") {
                messages.append(Message(name: name, fields: []))
            } else if let name = Self.name(in: line, after: "enum") {
                enumerations.append(Enumeration(name: name, values: [:]))
            } else if let words = Self.words(of: line) {
                let name = words[words.count - 2]
                let number = Int(words[words.count - 1]) ?? 0
                if words.count == 2 {
                    enumerations[enumerations.count - 1].values[number] = name
                } else {
                    let type = words[words.count - 3]
                    let kind = Self.kind(type, isRepeated: words[0] == "repeated", enumNames)
                    messages[messages.count - 1].fields
                        .append(Field(number: number, name: name, kind: kind))
                    types["\(messages[messages.count - 1].name).\(name)"] = type
                }
            }
        }
    }

    /// `Report` in `message Report {`.
    private static func name(in line: Substring, after keyword: String) -> String? {
        let words = line.split(separator: " ")
        guard words.count >= 3, words[0] == keyword, words[2].hasPrefix("{") else { return nil }
        return String(words[1])
    }

    /// `repeated uint64 index 1` in `repeated uint64 index = 1 [packed = true];`.
    private static func words(of line: Substring) -> [String]? {
        guard line.hasPrefix("  "), let equals = line.firstIndex(of: "="), line.contains(";") else {
            return nil
        }
        let number = line[equals...].dropFirst().prefix { $0 != ";" && $0 != "[" }
        return (line[..<equals].split(separator: " ") + number.split(separator: " "))
            .map(String.init)
    }

    private static func kind(_ type: String, isRepeated: Bool, _ enumNames: [String]) -> String {
        let scalars = [
            "uint32": "UInt32", "uint64": "UInt64", "int32": "Int32", "int64": "Int64",
            "sint64": "SInt64", "fixed64": "Fixed64", "double": "Double", "bool": "Bool",
            "string": "String", "bytes": "Bytes",
        ]
        let isPacked = isRepeated && scalars[type] != nil && type != "string" && type != "bytes"
        let name = scalars[type] ?? (enumNames.contains(type) ? "Enum" : "Message")
        return (isPacked ? "Packed" : isRepeated ? "Repeated" : "Singular") + name
    }
}
