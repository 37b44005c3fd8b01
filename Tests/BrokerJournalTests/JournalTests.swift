import BrokerCore
import Foundation
import TaskTree
import Testing

@testable import BrokerJournal

/// Commits, closes nothing, and reads back through a second journal on a copy of the files: what
/// a broker would find that begins after another was killed.
private func afterKill(_ batches: [[JournalEntry]]) throws -> Set<JournalEntry> {
    let first = TemporaryDirectory()
    let journal = try Journal(directory: first.path)
    for batch in batches {
        try journal.commit(batch)
    }
    let second = TemporaryDirectory()
    for name in first.names where !name.hasSuffix("-shm") {
        try second.write(try first.read(name), to: name)
    }
    let copy = try Journal(directory: second.path)
    #expect(copy.warning == nil)
    let entries = try copy.load()
    #expect(Set(entries).count == entries.count)
    withExtendedLifetime(journal) {}
    return Set(entries)
}

@Suite struct JournalTests {
    static let everyKind: [JournalEntry] = [
        .sessionWelcomed(credential: credential(1), session: session(7), hello: [1, 0, 255]),
        .sessionWelcomed(credential: credential(0), session: session(8), hello: []),
        .jobBegan(job: task(1), key: "nightly", title: "Nachtlauf „ß“ 🌙", slot: 3, begun: 0.1),
        .bound(reporter: task(.max), job: task(1), payload: [9, 8]),
        .row(reporter: task(2), job: task(1), payload: [UInt8](repeating: 0, count: 70_000)),
        .row(reporter: task(3), job: nil, payload: [1]),
        .fold(session: session(4), parent: task(2), job: task(1), payload: [4]),
        .fold(session: session(5), parent: task(2), job: nil, payload: [3]),
        .dismissed(task: task(2), job: task(1)),
        .slot(key: "nightly", slot: 3, used: .max),
        .slot(key: "", slot: 64, used: 0),
        .detachedSession(session(3), lastIndex: .max),
        .detachedRequest(id: credential(7), number: 1, time: 1_795_230_000, task: task(.max)),
        .detachedRequest(id: credential(8), number: 2, time: 0, task: task(1, of: 3)),
    ]

    @Test func everyKindOfEntryComesBackAfterAKill() throws {
        #expect(try afterKill([Self.everyKind]) == Set(Self.everyKind))
    }

    @Test func anEmptyJournalLoadsNothing() throws {
        #expect(try afterKill([]).isEmpty)
        #expect(try afterKill([[]]).isEmpty)
    }

    @Test func aLaterEntryOfTheSameKeyReplacesTheEarlierOne() throws {
        let later: [JournalEntry] = [
            .sessionWelcomed(credential: credential(1), session: session(9), hello: [2]),
            .jobBegan(job: task(1), key: "nightly#2", title: "Other", slot: 4, begun: 1e300),
            .bound(reporter: task(.max), job: task(2), payload: [7]),
            .row(reporter: task(2), job: task(2), payload: [6]),
            .fold(session: session(4), parent: task(2), job: task(2), payload: [5]),
            .dismissed(task: task(2), job: task(2)),
            .slot(key: "nightly", slot: 5, used: 1),
            .detachedSession(session(3), lastIndex: 9),
            .detachedRequest(id: credential(7), number: 3, time: 1, task: task(2)),
        ]
        let untouched: Set<JournalEntry> = [
            Self.everyKind[1], Self.everyKind[5], Self.everyKind[7], Self.everyKind[10],
            Self.everyKind[13],
        ]
        #expect(try afterKill([Self.everyKind, later]) == untouched.union(later))
        #expect(try afterKill([Self.everyKind + later]) == untouched.union(later))
    }

    @Test func anEntryWithoutJobIsFiledUnderTheJobThatALaterOneNames() throws {
        let found = try afterKill([
            [
                .row(reporter: task(3), job: nil, payload: [1]),
                .bound(reporter: task(4), job: nil, payload: [1]),
                .fold(session: session(1), parent: task(3), job: nil, payload: [1]),
                .dismissed(task: task(3), job: nil),
            ],
            [
                .row(reporter: task(3), job: task(1), payload: [2]),
                .bound(reporter: task(4), job: task(1), payload: [2]),
                .fold(session: session(1), parent: task(3), job: task(1), payload: [2]),
                .dismissed(task: task(3), job: task(1)),
            ],
            [.jobLeft(job: task(1))],
        ])
        #expect(found.isEmpty)
    }

    @Test func anEntryThatDoesNotKnowItsJobKeepsTheOneKnown() throws {
        let found = try afterKill([
            [.row(reporter: task(3), job: task(1), payload: [1])],
            [.row(reporter: task(3), job: nil, payload: [2])],
        ])
        #expect(found == [.row(reporter: task(3), job: task(1), payload: [2])])
    }

    @Test func rowsBindingsAndFoldsWithoutAPayloadAreRemoved() throws {
        let found = try afterKill([
            [
                .row(reporter: task(3), job: task(1), payload: [1]),
                .bound(reporter: task(4), job: nil, payload: [1]),
                .bound(reporter: task(5), job: nil, payload: [1]),
                .fold(session: session(1), parent: task(3), job: task(1), payload: [1]),
            ],
            [
                .row(reporter: task(3), job: nil, payload: []),
                .bound(reporter: task(4), job: nil, payload: []),
                .fold(session: session(1), parent: task(3), job: nil, payload: []),
            ],
        ])
        #expect(found == [.bound(reporter: task(5), job: nil, payload: [1])])
    }

    @Test func aJobThatLeavesTakesItsEntriesAndNoOthers() throws {
        let other: [JournalEntry] = [
            .jobBegan(job: task(1, of: 2), key: "other", title: "Other", slot: 1, begun: 0),
            .row(reporter: task(1, of: 2), job: task(1, of: 2), payload: [1]),
            // The same index in another session, and the job's own id as a reporter elsewhere.
            .bound(reporter: task(1), job: task(1, of: 2), payload: [1]),
            .fold(session: session(1), parent: task(1), job: task(1, of: 2), payload: [1]),
            .dismissed(task: task(1), job: task(1, of: 2)),
        ]
        let kept = Self.everyKind.filter { entry in
            switch entry {
            case .sessionWelcomed, .slot, .detachedSession, .detachedRequest: true
            case .row(_, nil, _), .fold(_, _, nil, _): true
            default: false
            }
        }
        let found = try afterKill([Self.everyKind + other, [.jobLeft(job: task(1))]])
        #expect(found == Set(kept + other))
    }

    @Test func theOrderWithinABatchCounts() throws {
        let row = JournalEntry.row(reporter: task(2), job: task(1), payload: [1])
        #expect(try afterKill([[.jobLeft(job: task(1)), row]]) == [row])
        #expect(try afterKill([[row, .jobLeft(job: task(1))]]).isEmpty)
    }

    @Test func sessionsThatEndedAndForgottenSlotsAreGone() throws {
        let found = try afterKill([
            [
                .sessionWelcomed(credential: credential(1), session: session(1), hello: [1]),
                .sessionWelcomed(credential: credential(2), session: session(2), hello: [2]),
                .slot(key: "a", slot: 1, used: 1),
                .slot(key: "b", slot: 2, used: 2),
            ],
            [.sessionForgotten(credential: credential(1)), .slotForgotten(key: "b")],
            [.sessionForgotten(credential: credential(9)), .slotForgotten(key: "never")],
        ])
        #expect(
            found == [
                .sessionWelcomed(credential: credential(2), session: session(2), hello: [2]),
                .slot(key: "a", slot: 1, used: 1),
            ]
        )
    }

    @Test func requestsUpToANumberAreForgottenTogether() throws {
        let requests = (1...9).map { number in
            JournalEntry.detachedRequest(
                id: credential(UInt8(number)),
                number: UInt64(number),
                time: 5,
                task: task(1)
            )
        }
        #expect(try afterKill([requests, [.detachedRequestsForgotten(through: 6)]]).count == 3)
        #expect(try afterKill([requests, [.detachedRequestsForgotten(through: .max)]]).isEmpty)
    }

    @Test func aClosedJournalOpensAgainWithEverything() throws {
        let directory = TemporaryDirectory()
        let first = try Journal(directory: directory.path)
        try first.commit(Self.everyKind)
        first.close()
        #expect(directory.names == ["journal.sqlite"])
        let second = try Journal(directory: directory.path)
        #expect(second.warning == nil)
        #expect(Set(try second.load()) == Set(Self.everyKind))
    }

    @Test func aHundredThousandRowsLoad() throws {
        let directory = TemporaryDirectory()
        let payload = [UInt8](repeating: 120, count: 150)
        let rows = (1...100_000).map { index in
            JournalEntry.row(
                reporter: task(UInt64(index)),
                job: task(UInt64(index % 50)),
                payload: payload
            )
        }
        let clock = ContinuousClock()
        let journal = try Journal(directory: directory.path)
        let writing = try clock.measure { try journal.commit(rows) }
        journal.close()
        var opened: Journal?
        let opening = try clock.measure { opened = try Journal(directory: directory.path) }
        var count = 0
        let loading = try clock.measure { count = try opened?.load().count ?? 0 }
        print("100,000 rows: written in \(writing), opened in \(opening), loaded in \(loading)")
        #expect(count == 100_000)
    }
}
