import Foundation
import Testing

/// Checks JSON against the schemas of `Protocol/schemas`, by a library that is not ours.
enum SchemaCheck {
    /// The object of a schema file, by the first part of its name.
    static func schema(_ name: String) throws -> [String: Any] {
        let path = Programs.packagePath("Protocol/schemas/\(name).schema.json")
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Every line is as the schema says, and there are some.
    static func expect(
        _ lines: [String],
        toBe name: String,
        on bus: TemporaryBus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let file = bus.path("\(name)-\(UInt32.random(in: 0 ... .max)).jsonl")
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let check = try bus.start(
            program: "/bin/sh",
            [
                "-c", #"exec "$0" "$1" "$2" < "$3""#,
                Programs.packagePath(".build/terminal-venv/bin/python"),
                Programs.packagePath("Tools/TestSupport/validate-json"), name, file,
            ]
        )
        // Thousands of lines, in Python.
        let end = try await check.end(within: .seconds(240))
        #expect(
            end == .exited(0),
            "\(check.output.prefix(2_000))\(check.errorOutput.suffix(2_000))",
            sourceLocation: sourceLocation
        )
    }
}
