import Foundation

/// Something that kept a section from measuring.
struct Obstacle: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Ends the program with a sentence that says why.
func fail(_ status: Int32, _ sentence: String) -> Never {
    FileHandle.standardError.write(Data("bus-bench: \(sentence)\n".utf8))
    exit(status)
}
