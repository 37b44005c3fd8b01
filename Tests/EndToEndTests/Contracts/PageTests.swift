import DashboardCore
import Foundation
import Testing

/// The pages of `Protocol/Commands` that are written by hand say all that the sources say.
@Suite("Pages about commands")
struct PageTests {
    @Test("every variable that the sources read by name is on the page")
    func environment() throws {
        let known =
            #""((?:PROGRESSBUS|XDG|LC)_[A-Z_]+|NO_COLOR|ACCESSIBLE|TERM|LANG|HOME|NOTIFY_SOCKET)""#
        let read = try words(known).filter { !$0.hasSuffix("_FOR_TEST") }
        #expect(read.isSuperset(of: ["PROGRESSBUS_ENDPOINT", "NO_COLOR"]))
        #expect(read.subtracting(try firstCells("environment")) == [])
    }

    @Test("every exit code that the sources make is on the page")
    func exitCodes() throws {
        let made = try words(#"ExitCode\((\d+)\)"#)
        #expect(made.isSuperset(of: ["65", "124"]))
        let page = try page("exit-codes")
        #expect(made.filter { page.firstRange(of: "\($0)") == nil } == [])
    }

    @Test("the keys of a theme file are those on the page")
    func theme() throws {
        #expect(try firstCells("theme") == Set(Theme.Role.allCases.map(\.name)))
    }

    private func page(_ name: String) throws -> String {
        let path = Programs.packagePath("Protocol/Commands/\(name).md")
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The words in code marks in the first column of a page's table.
    private func firstCells(_ name: String) throws -> Set<String> {
        let rows = try page(name).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let words: [Substring] = rows.flatMap { row -> [Substring] in
            let cell = row.split(separator: "|").first ?? ""
            return cell.split(separator: "`").filter { $0.contains(where: \.isLetter) }
        }
        return Set(words.map(String.init))
    }

    /// What the pattern finds in the Swift files of `Sources`.
    private func words(_ pattern: String) throws -> Set<String> {
        let expression = try Regex(pattern, as: (Substring, Substring).self)
        let sources = Programs.packagePath("Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources))
        var found: Set<String> = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
            found.formUnion(text.matches(of: expression).map { String($0.output.1) })
        }
        return found
    }
}
