import Essentials

/// The fields of one JSON object, read by name and checked one by one.
///
/// A field that is `null` counts as left out, unless the caller asks `isNull(_:)`. A field that was
/// not asked for is ignored and listed in ``unread``, so that a script for a later version still
/// runs.
struct ReportFields: Decodable {
    private let container: KeyedDecodingContainer<Name>
    private let asked = Asked()

    private final class Asked {
        var names: Set<String> = []
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    init(from decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: Name.self)
    }

    /// Reads a line; everything that is not one JSON object is refused.
    static func parse(_ line: some Sequence<UInt8>) throws(ReportLineError) -> ReportFields {
        do {
            return try JSONDecoder().decode(ReportFields.self, from: Data(line))
        } catch {
            throw ReportLineError("this is not a JSON object on one line; write one per line")
        }
    }

    /// The names of the fields that were asked for, present or not.
    var read: Set<String> { asked.names }

    /// The names of the fields that are present and were not asked for.
    var unread: [String] {
        container.allKeys.map(\.stringValue).filter { !asked.names.contains($0) }.sorted()
    }

    func isNull(_ name: String) -> Bool {
        let key = self.key(name)
        guard container.contains(key) else { return false }
        return (try? container.decodeNil(forKey: key)) ?? false
    }

    func text(_ name: String) throws(ReportLineError) -> String? {
        try value(name, "a text in quotes")
    }

    func flag(_ name: String) throws(ReportLineError) -> Bool? {
        try value(name, "true or false")
    }

    func seconds(_ name: String) throws(ReportLineError) -> Double? {
        guard let seconds: Double = try value(name, "a number of seconds") else { return nil }
        guard seconds > 0, seconds.isFinite else {
            throw ReportLineError("\"\(name)\" is \(seconds); give a number above 0")
        }
        return seconds
    }

    func amount(_ name: String) throws(ReportLineError) -> Int? {
        guard let amount: Int = try value(name, "a whole number") else { return nil }
        guard amount >= 0 else {
            throw ReportLineError("\"\(name)\" is \(amount); give 0 or more")
        }
        return amount
    }

    func requiredText(_ name: String) throws(ReportLineError) -> String {
        guard let text = try text(name) else {
            throw ReportLineError("\"\(name)\" is missing")
        }
        return text
    }

    private func value<Value: Decodable>(
        _ name: String,
        _ kind: String
    ) throws(ReportLineError) -> Value? {
        do {
            return try container.decodeIfPresent(Value.self, forKey: key(name))
        } catch {
            throw ReportLineError("\"\(name)\" must be \(kind)")
        }
    }

    private func key(_ name: String) -> Name {
        asked.names.insert(name)
        return Name(stringValue: name)
    }
}
