import Foundation
import Testing

@testable import ProgressBusCommand

@Suite("The file with checksums")
struct ChecksumFileTests {
    @Test("it is there by its name alone, and where it cannot be written nothing is")
    func unfinished() throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("checksums-\(UUID())").path
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        let file = try ChecksumFile(folder + "/sums")
        try file.write(ChecksumResult(leftOut: []))
        #expect(try manager.contentsOfDirectory(atPath: folder) == ["sums"])

        let other = try ChecksumFile(folder + "/other")
        // No file takes the place of a directory.
        try manager.createDirectory(atPath: other.path, withIntermediateDirectories: false)
        #expect(throws: CommandFailure.self) { try other.write(ChecksumResult(leftOut: [])) }
        #expect(Set(try manager.contentsOfDirectory(atPath: folder)) == ["sums", "other"])
    }
}
