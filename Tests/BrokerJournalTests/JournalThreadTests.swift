import BrokerCore
import Foundation
import Synchronization
import TaskTree
import Testing

@testable import BrokerJournal

/// Everything a thread told its owner, in order.
private final class Diary: Sendable {
    enum Event: Equatable {
        case committed([UInt64])
        case failed(after: Double)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func committed(_ batches: [UInt64]) {
        continuation.yield(.committed(batches))
    }

    func failed(_ error: JournalError, _ delay: Double) {
        continuation.yield(.failed(after: delay))
    }

    func next(_ count: Int) async -> [Event] {
        var found: [Event] = []
        for await event in events {
            found.append(event)
            if found.count == count { break }
        }
        return found
    }
}

private func entry(_ number: UInt64) -> JournalEntry {
    .row(reporter: task(number), job: nil, payload: [1])
}

@Suite struct JournalThreadTests {
    /// A thread on a real journal; the first `faults` transactions fail before they reach it.
    private func thread(
        _ journal: Journal,
        _ diary: Diary,
        faults: Int = 0
    ) -> JournalThread {
        let left = Mutex(faults)
        return JournalThread(
            commit: { (entries) throws(JournalError) in
                let fails = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                if fails { throw JournalError(sentence: "The disk is full.") }
                try journal.commit(entries)
            },
            delays: 0.001...0.004,
            committed: { diary.committed($0) },
            failed: { diary.failed($0, $1) }
        )
    }

    @Test func batchesThatWaitTogetherAreOneTransaction() async throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        let before = try commits(in: directory)
        let diary = Diary()
        let thread = thread(journal, diary)
        thread.submit(batch: 1, [entry(1)])
        thread.submit(batch: 2, [entry(2), entry(3)])
        try thread.start()
        #expect(await diary.next(1) == [.committed([1, 2])])
        #expect(try commits(in: directory) == before + 1)
        thread.submit(batch: 3, [entry(4)])
        #expect(await diary.next(1) == [.committed([3])])
        #expect(try commits(in: directory) == before + 2)
        #expect(thread.finish(within: 1))
        #expect(Set(try journal.load()) == Set((1...4).map(entry)))
    }

    @Test func nothingIsCommittedInWordsWhileTheDiskFails() async throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        let diary = Diary()
        let thread = thread(journal, diary, faults: 4)
        thread.submit(batch: 1, [entry(1)])
        try thread.start()
        #expect(
            await diary.next(5) == [
                .failed(after: 0.001), .failed(after: 0.002), .failed(after: 0.004),
                .failed(after: 0.004), .committed([1]),
            ]
        )
        // The next trouble starts from the shortest delay again.
        #expect(thread.finish(within: 1))
        #expect(try journal.load() == [entry(1)])
    }

    @Test func finishCommitsWhatIsLeft() throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        let thread = thread(journal, Diary())
        try thread.start()
        for number in 1...500 {
            thread.submit(batch: UInt64(number), [entry(UInt64(number))])
        }
        #expect(thread.finish(within: 5))
        #expect(try journal.load().count == 500)
    }

    @Test func finishGivesUpWhenTheDiskKeepsFailing() throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        let thread = thread(journal, Diary(), faults: .max)
        thread.submit(batch: 1, [entry(1)])
        try thread.start()
        #expect(!thread.finish(within: 0.05))
        #expect(try journal.load().isEmpty)
    }

    @Test func finishOnAnIdleThreadEndsIt() throws {
        let directory = TemporaryDirectory()
        let thread = thread(try Journal(directory: directory.path), Diary())
        try thread.start()
        #expect(thread.finish(within: 0))
    }

    @Test func theBoundIsSaidAndNothingIsLostBeyondIt() async throws {
        let directory = TemporaryDirectory()
        let journal = try Journal(directory: directory.path)
        let diary = Diary()
        let thread = thread(journal, diary)
        let payload = [UInt8](repeating: 7, count: 1 << 20)
        #expect(thread.fill == .room)
        for number in 1...33 {
            let row = JournalEntry.row(reporter: task(UInt64(number)), job: nil, payload: payload)
            thread.submit(batch: UInt64(number), [row])
        }
        #expect(thread.fill == .full)
        try thread.start()
        #expect(await diary.next(1) == [.committed((1...33).map { UInt64($0) })])
        #expect(thread.fill == .room)
        #expect(thread.finish(within: 1))
        #expect(try journal.load().count == 33)
    }

    /// How many transactions the write-ahead log holds: frames that say how large the file is
    /// after them (https://www.sqlite.org/fileformat.html#walformat).
    private func commits(in directory: TemporaryDirectory) throws -> Int {
        let log = try directory.read("journal.sqlite-wal")
        let pageSize = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let salts = log[16..<24]
        var count = 0
        for frame in stride(from: 32, to: log.count, by: 24 + pageSize) {
            // Frames with other salts are left from before the log was begun again.
            let isCurrent = log[(frame + 8)..<(frame + 16)].elementsEqual(salts)
            let endsTransaction = log[(frame + 4)..<(frame + 8)].contains { $0 != 0 }
            count += isCurrent && endsTransaction ? 1 : 0
        }
        return count
    }
}
