import BrokerCore
import Foundation
import TaskTree
import Testing

@testable import BrokerJournal

@Suite struct DamagedJournalTests {
    /// A journal with some content, closed; its file is complete without a log.
    private func sound(rows: UInt64 = 2_000) throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        try journal.commit(
            (1...rows).map { .row(reporter: task($0), job: task(1), payload: [1, 2, 3]) }
        )
        journal.close()
        return directory
    }

    /// Opens what cannot be read and looks at what has become of it.
    private func expectSetAside(
        _ directory: TemporaryDirectory,
        because reason: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = try directory.read("journal.sqlite")
        let journal = try Journal(directory: directory.path)
        let warning = try #require(journal.warning, sourceLocation: sourceLocation)
        if let reason { #expect(warning.contains(reason), sourceLocation: sourceLocation) }
        let name = try #require(directory.damaged.first, sourceLocation: sourceLocation)
        #expect(warning.contains(name), sourceLocation: sourceLocation)
        #expect(try directory.read(name) == bytes, sourceLocation: sourceLocation)
        // The fresh one works, and nothing of the old one shows through.
        let entry = JournalEntry.slot(key: "a", slot: 1, used: 1)
        try journal.commit([entry])
        #expect(try journal.load() == [entry], sourceLocation: sourceLocation)
        journal.close()
        let again = try Journal(directory: directory.path)
        #expect(again.warning == nil, sourceLocation: sourceLocation)
        #expect(try again.load() == [entry], sourceLocation: sourceLocation)
    }

    @Test func aFileThatIsNoDatabaseIsSetAside() throws {
        let directory = TemporaryDirectory()
        try directory.write([UInt8](repeating: 65, count: 5_000), to: "journal.sqlite")
        try expectSetAside(directory, because: "not a database")
    }

    @Test func aFileWithAnOverwrittenPageIsSetAside() throws {
        let directory = try sound()
        var bytes = try directory.read("journal.sqlite")
        // All but the first page, which holds the schema.
        for index in 4096..<bytes.count {
            bytes[index] = 0xA5
        }
        try directory.write(bytes, to: "journal.sqlite")
        try expectSetAside(directory)
    }

    @Test func aFileThatWasCutIsSetAside() throws {
        let directory = try sound()
        let bytes = try directory.read("journal.sqlite")
        try directory.write([UInt8](bytes.prefix(bytes.count / 2)), to: "journal.sqlite")
        try expectSetAside(directory)
    }

    @Test func aFileWhoseIndexDisagreesWithItsTableIsSetAside() throws {
        let directory = try sound(rows: 3)
        var bytes = try directory.read("journal.sqlite")
        // The payload of a row is only in the table; the session of its job is also in the index.
        let needle = task(2).session.rawValue.bigEndianBytes
        let place = try #require(bytes.lastRange(of: needle))
        bytes[place.upperBound - 1] ^= 0xFF
        try directory.write(bytes, to: "journal.sqlite")
        try expectSetAside(directory, because: "integrity check")
    }

    @Test func anotherProgramsDatabaseIsSetAsideUntouched() throws {
        let directory = try sound()
        var bytes = try directory.read("journal.sqlite")
        // https://www.sqlite.org/fileformat.html#application_id: offset 68.
        bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
        try directory.write(bytes, to: "journal.sqlite")
        try expectSetAside(directory, because: "another program")
    }

    @Test(arguments: [("99", "newer"), ("0", "before the first release")])
    func aJournalOfAnotherVersionIsSetAside(version: String, reason: String) throws {
        let directory = try sound(rows: 1)
        let database = try Database(
            path: directory.path + "/journal.sqlite",
            waitingForOthers: 0
        )
        try database.execute("PRAGMA user_version = \(version)")
        database.close()
        try expectSetAside(directory, because: reason)
    }

    @Test func onlyTheNewestDamagedFilesAreKept() throws {
        let directory = TemporaryDirectory()
        for _ in 0..<8 {
            try directory.write([UInt8](repeating: 65, count: 5_000), to: "journal.sqlite")
            try Journal(directory: directory.path).close()
            #expect(directory.damaged.count <= Journal.damagedKept)
        }
        #expect(directory.damaged.count == Journal.damagedKept)
    }

    @Test func aDirectoryThatCannotBeMadeIsAnErrorInWords() throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "file")
        let error = try #require(throws: JournalError.self) {
            try Journal(directory: directory.path + "/file/below")
        }
        #expect(error.sentence.contains(directory.path))
    }

    @Test func aDirectoryInThePlaceOfTheFileIsAnErrorAndStays() throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "journal.sqlite/inside")
        #expect(throws: JournalError.self) { try Journal(directory: directory.path) }
        #expect(directory.names == ["journal.sqlite"])
    }

    @Test func theDirectoryIsTheOwnersAlone() throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path + "/a/b")
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/a/b")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        journal.close()
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}

extension [UInt8] {
    /// Where the bytes occur last.
    fileprivate func lastRange(of needle: [UInt8]) -> Range<Int>? {
        guard count >= needle.count else { return nil }
        return (0...count - needle.count).last { start in
            self[start..<start + needle.count].elementsEqual(needle)
        }.map { $0..<$0 + needle.count }
    }
}
