import Foundation
import ProgressBus
import Testing

@Suite("The quick start of the documentation")
struct QuickStartTests {
    /// Of this file's package.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("The page shows the code that this test compiles")
    func sameCode() throws {
        let page = try String(
            contentsOf: Self.root.appending(
                path: "Sources/ProgressBus/Documentation.docc/ProgressBus.md"
            ),
            encoding: .utf8
        )
        let file = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "QuickStart.swift"),
            encoding: .utf8
        )
        let shown = try #require(page.between("<!-- quick-start -->\n```swift\n", "```"))
        let compiled = try #require(file.between("// quick-start\n", "        // end"))
        let setUp = "import ProgressBus\n\nlet bus = BusClient()\n\n"
        #expect(shown == setUp + compiled.unindented(by: 8))
    }

    @Test("The code runs where no broker does")
    func runs() async throws {
        let bus = BusClient(
            BusConfiguration(endpoint: "ipc:///nobody/ever/listens", environment: [:])
        )
        var indexed = 0
        try await QuickStart.run(bus: bus, files: ["a", "b"]) { _ in indexed += 1 }
        #expect(indexed == 2)
    }
}

extension String {
    fileprivate func between(_ start: String, _ end: String) -> String? {
        guard let from = range(of: start)?.upperBound,
            let to = range(of: end, range: from..<endIndex)?.lowerBound
        else { return nil }
        return String(self[from..<to])
    }

    fileprivate func unindented(by spaces: Int) -> String {
        let indent = String(repeating: " ", count: spaces)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(indent) ? String($0.dropFirst(spaces)) : String($0) }
            .joined(separator: "\n")
    }
}
