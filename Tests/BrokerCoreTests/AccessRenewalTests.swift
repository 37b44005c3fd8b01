import BusProtocol
import SwiftProtobuf
import Testing

@testable import BrokerCore

/// How the broker comes from one key to the next.
@Suite struct AccessRenewalTests {
    private static let now = AccessTests.now

    private func file() throws -> AccessFile {
        AccessFile(secret: try AccessTests.key(5), list: try AccessTests.list())
    }

    private func pair(_ number: UInt8) throws -> BusKeyPair {
        BusKeyPair(public: try AccessTests.key(number), secret: try AccessTests.key(number + 100))
    }

    private func renew(
        _ file: inout AccessFile,
        taking key: BusKey? = nil,
        own: UInt8 = 6,
        fresh: UInt8 = 7,
        at now: UInt64 = AccessRenewalTests.now
    ) throws -> AccessList.Outcome {
        var request = WireAccessRequest()
        request.request = 9
        request.renewBroker.publicKey = key
        let outcome = file.renew(
            request,
            by: try AccessTests.key(1),
            own: try AccessTests.key(own),
            fresh: try pair(fresh),
            at: now
        )
        #expect(outcome.answer.request == 9)
        return outcome
    }

    @Test func theNextKeyIsMadeOnceAndTakenInADay() throws {
        var file = try file()
        let first = try renew(&file)
        #expect(first.isChanged && first.word?.hasPrefix("anna") == true)
        #expect(first.answer.renews == Self.now + AccessFile.overlap)
        let again = try renew(&file, fresh: 8, at: Self.now + 60)
        #expect(!again.isChanged && again.word == nil)
        #expect(again.answer.renews == first.answer.renews)
        #expect(try file.next?.keys == pair(7))

        let due = first.answer.renews
        #expect(!file.isNextDue(at: due - 1) && file.isNextDue(at: due))
        let early = file.takeNext(at: due - 1)
        #expect(try !early && file.secret == AccessTests.key(5))
        file.list.restore(
            try AccessTests.key(50),
            AccessList.OpenInvitation(role: .viewer, usesLeft: 1, expires: due * 2, by: "anna")
        )
        let taken = file.takeNext(at: due)
        #expect(try taken && file.secret == AccessTests.key(107) && file.next == nil)
        #expect(file.list.invitations.isEmpty, "they name the key that is gone")
        #expect(AccessFile(parsing: file.text)?.list.invitations.isEmpty == true)
        let twice = file.takeNext(at: due)
        #expect(!twice)
    }

    @Test func itIsTakenAtOnceWhereItIsNamedAndOnlyOnce() throws {
        var file = try file()
        let unknown = try renew(&file, taking: try AccessTests.key(7))
        #expect(unknown.answer.code == RefusalCode.notPermitted.rawValue && !unknown.isChanged)
        #expect(file.next == nil)
        _ = try renew(&file)
        let other = try renew(&file, taking: try AccessTests.key(9))
        #expect(other.answer.code == RefusalCode.notPermitted.rawValue && !other.isChanged)
        let now = try renew(&file, taking: try AccessTests.key(7), at: Self.now + 5)
        #expect(now.isChanged && now.answer.renews == Self.now + 5)
        let again = try renew(&file, taking: try AccessTests.key(7), at: Self.now + 6)
        #expect(!again.isChanged && again.answer.renews == Self.now + 5)
        let taken = file.takeNext(at: Self.now + 6)
        #expect(taken)
        // The answer was lost, and the request comes once more.
        let late = try renew(&file, taking: try AccessTests.key(7), own: 7, fresh: 8)
        #expect(late.answer.code == 0 && late.answer.renews == 0 && !late.isChanged)
        #expect(file.next == nil)
    }

    @Test func theFileKeepsIt() throws {
        var file = try file()
        _ = try renew(&file)
        let read = try #require(AccessFile(parsing: file.text))
        #expect(read.next == file.next && read.text == file.text)
        for damaged in [
            file.text.replacing("next ", with: "next 0 "),
            file.text + "next \(try AccessTests.key(7).text) \(try AccessTests.key(8).text) 5\n",
        ] {
            #expect(AccessFile(parsing: damaged) == nil)
        }
    }
}
