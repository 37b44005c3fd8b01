import BrokerCore
import Foundation
import Synchronization
import TaskTree
import Testing

@testable import BrokerJournal

@Suite struct KeeperTests {
    private final class Warnings: Sendable {
        let said = Mutex<[String]>([])
        let found = Mutex(0)
        var all: [String] { said.withLock { $0 } }
        var timesFound: Int { found.withLock { $0 } }
    }

    private func keeper(_ directory: String) -> (JournalKeeper, Warnings) {
        let warnings = Warnings()
        let keeper = JournalKeeper(
            directory: directory,
            warn: { sentence in warnings.said.withLock { $0.append(sentence) } },
            found: { warnings.found.withLock { $0 += 1 } }
        )
        return (keeper, warnings)
    }

    private func row(_ index: UInt64) -> JournalEntry {
        .row(reporter: task(index), job: task(1), payload: [1, 2, 3])
    }

    @Test("a directory that cannot be made: empty with a warning, written once it can be")
    func noDirectory() throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "state")
        let (keeper, warnings) = keeper(directory.path + "/state")
        #expect(keeper.begin().isEmpty)
        #expect(warnings.all.count == 1)
        #expect(warnings.all[0].contains(directory.path + "/state"))
        #expect(throws: JournalError.self) { try keeper.commit([row(1)]) }
        #expect(throws: JournalError.self) { try keeper.commit([row(1)]) }
        #expect(warnings.all.count == 1, "once")
        try FileManager.default.removeItem(atPath: directory.path + "/state")
        try keeper.commit([row(1)])
        keeper.close()
        let next = self.keeper(directory.path + "/state").0
        #expect(next.begin() == [row(1)])
        next.close()
    }

    @Test("a journal that could not be read at first: found, and nothing written before it is read")
    func unreadAtFirst() throws {
        let directory = TemporaryDirectory()
        let former = try Journal(directory: directory.path + "/state")
        try former.commit([row(1)])
        former.close()
        try FileManager.default.moveItem(
            atPath: directory.path + "/state",
            toPath: directory.path + "/away"
        )
        try directory.write([1], to: "state")
        let (keeper, warnings) = keeper(directory.path + "/state")
        #expect(keeper.begin().isEmpty)
        try FileManager.default.removeItem(atPath: directory.path + "/state")
        try FileManager.default.moveItem(
            atPath: directory.path + "/away",
            toPath: directory.path + "/state"
        )
        #expect(throws: JournalError.self) { try keeper.commit([row(2)]) }
        #expect(warnings.timesFound == 1)
        keeper.close()
        #expect(warnings.all.count == 1)
        let next = self.keeper(directory.path + "/state").0
        #expect(next.begin() == [row(1)])
        try next.commit([row(2)])
        next.close()
        let last = self.keeper(directory.path + "/state").0
        #expect(last.begin() == [row(1), row(2)])
        last.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/state")
        #expect(!names.contains { $0.contains(".damaged-") })
    }

    @Test("a journal that another broker has open: this one says so, and finds it later")
    func openElsewhere() throws {
        let directory = TemporaryDirectory()
        let other = try Journal(directory: directory.path)
        try other.commit([row(1)])
        let (keeper, warnings) = keeper(directory.path)
        #expect(keeper.begin().isEmpty)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("Another broker or program has it open") == true)
        #expect(throws: JournalError.self) { try keeper.commit([row(2)]) }
        #expect(warnings.timesFound == 0)
        try other.commit([row(3)])
        #expect(try other.load() == [row(1), row(3)], "nothing of this one is in it")
        other.close()
        #expect(throws: JournalError.self) { try keeper.commit([row(2)]) }
        #expect(warnings.timesFound == 1)
        keeper.close()
    }

    @Test(
        "damage at any place: the broker gets a journal, sound or new, and can write to it",
        arguments: [0, 16, 40, 96, 100, 108, 1_024, 4_095, 4_096, 8_192, 20_000, 60_000]
    )
    func damagedAnywhere(offset: Int) throws {
        let directory = TemporaryDirectory()
        let former = try Journal(directory: directory.path)
        try former.commit((1...2_000).map(row))
        former.close()
        var bytes = try directory.read("journal.sqlite")
        for position in offset..<min(offset + 64, bytes.count) { bytes[position] ^= 0xA5 }
        try directory.write(bytes, to: "journal.sqlite")
        let (keeper, warnings) = keeper(directory.path)
        let entries = keeper.begin()
        #expect(entries.isEmpty == !warnings.all.isEmpty, "all of it, or none and a warning")
        try keeper.commit([row(5_000)])
        keeper.close()
        let next = self.keeper(directory.path)
        #expect(next.0.begin().contains(row(5_000)))
        #expect(next.1.all.isEmpty)
        next.0.close()
    }

    @Test("100,000 endings of jobs that leave, or of children that are folded: a small file")
    func growth() throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        let payload = [UInt8](repeating: 120, count: 150)
        var largest = 0
        func measure() throws {
            for name in ["journal.sqlite", "journal.sqlite-wal"] {
                largest = max(largest, (try? directory.read(name).count) ?? 0)
            }
        }
        // One job after the other, 50 endings each; a hundred jobs are there at a time.
        for number in 1...1_000 as ClosedRange<UInt64> {
            let job = task(1, of: number)
            var entries: [JournalEntry] = [
                .sessionWelcomed(credential: bytes(number), session: job.session, hello: payload),
                .jobBegan(
                    job: job,
                    key: "job \(number)",
                    title: "Job",
                    slot: Int(number),
                    begun: 0
                ),
            ]
            for index in 1...50 as ClosedRange<UInt64> {
                entries.append(.row(reporter: task(index, of: number), job: job, payload: payload))
            }
            if number > 100 {
                entries.append(.jobLeft(job: task(1, of: number - 100)))
                entries.append(.sessionForgotten(credential: bytes(number - 100)))
            }
            try journal.commit(entries)
        }
        try measure()
        // A job that runs for weeks and keeps a thousand rows.
        let job = task(1)
        for index in stride(from: 1, to: 50_000, by: 50) as StrideTo<UInt64> {
            var entries: [JournalEntry] = []
            for index in index..<index + 50 {
                entries.append(.row(reporter: task(index), job: job, payload: payload))
                if index > 1_000 {
                    entries.append(.row(reporter: task(index - 1_000), job: job, payload: []))
                }
            }
            try journal.commit(entries)
        }
        try measure()
        let rows = try journal.load().count
        journal.close()
        let size = try directory.read("journal.sqlite").count
        print("100,000 endings: \(rows) entries, \(size) bytes, at most \(largest) in a file")
        #expect(rows < 8_000)
        #expect(largest < 8 << 20)
    }

    private func bytes(_ number: UInt64) -> [UInt8] {
        credential(0).dropLast(8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
