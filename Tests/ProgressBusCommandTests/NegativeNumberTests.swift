import ArgumentParser
import Testing

@testable import ProgressBusCommand

/// Numbers that are too small, given as a word of their own.
struct NegativeNumberTests {
    @Test(arguments: [
        ("advance task --by -3", "--by is 1 or more"),
        ("update task --completed -1", "--completed is 0 or more"),
        ("update task --total -1", "--total"),
        ("begin Title --total -1", "--total is 0 or more"),
        ("begin Title --share -2", "--share is 0 or more"),
        ("run --share -2 true", "--share"),
        ("status --timeout -1", "--timeout is more than 0"),
        ("cancel task --timeout -1", "--timeout is more than 0"),
        ("wait job --timeout -1", "--timeout is 0 or more"),
        ("status --depth -1", "--depth"),
    ])
    func `a negative number: refused for what it is`(text: String, sentence: String) {
        let error = #expect(throws: (any Error).self) {
            _ = try RootCommand.parseAsRoot(text.split(separator: " ").map(String.init))
        }
        let message = error.map { RootCommand.message(for: $0) } ?? ""
        #expect(message.contains(sentence))
        #expect(!message.contains("Missing value"))
    }
}
