import BusProtocol
import SwiftProtobuf
import Testing

@testable import BrokerCore

/// Who may say what, and how that changes.
@Suite struct AccessTests {
    static let now: UInt64 = 1_800_000_000

    static func key(_ number: UInt8) throws -> BusKey {
        try #require(BusKey([UInt8](repeating: number, count: 32)))
    }

    /// With one admin, whose key is 1.
    static func list() throws -> AccessList {
        var list = AccessList()
        list.restore(try key(1), AccessList.Member(name: "anna", role: .admin, since: now))
        return list
    }

    /// Carries out a request as the broker does: only if the key may ask for it.
    private func ask(
        _ list: inout AccessList,
        _ key: BusKey,
        at now: UInt64 = AccessTests.now,
        _ operation: WireAccessRequest.OneOf_Operation
    ) throws -> WireAccessAnswer {
        var request = WireAccessRequest()
        request.request = 9
        request.operation = operation
        _ = try list.sender(of: .access(request), with: key, at: now)
        let answer = list.apply(request, of: key, refused: RefusedAttempts(), at: now).answer
        #expect(answer.request == 9)
        return answer
    }

    private func invite(
        _ key: BusKey,
        _ role: Role,
        uses: UInt32 = 1
    ) -> WireAccessRequest.OneOf_Operation {
        .invite(
            .with {
                $0.publicKey = key
                $0.role = role.wire
                $0.uses = uses
                $0.seconds = 60
            }
        )
    }

    private func join(_ key: BusKey, _ name: String = "ben") -> WireAccessRequest.OneOf_Operation {
        .join(
            .with {
                $0.publicKey = key
                $0.name = name
            }
        )
    }

    // MARK: Rights

    private static let bodies: [(right: Right?, body: WireClientFrame.OneOf_Body)] = [
        (.read, .hello(.with { $0.viewer = true })), (.report, .hello(WireHello())),
        (.report, .endings(WireEndings())), (.report, .sync(WireSync())),
        (.report, .redeem(WireRedeem())), (.report, .commandAnswer(WireCommandAnswer())),
        (.report, .detached(WireDetachedRequest())), (.read, .snapshot(WireSnapshotRequest())),
        (.read, .find(WireFind())), (.command, .command(WireCommandRequest())),
        (.invite, .access(.with { $0.invite = WireInvite() })),
        (.invite, .access(.with { $0.revoke = WireRevoke() })),
        (.invite, .access(.with { $0.members = WireMembersRequest() })),
        (.invite, .access(.with { $0.renewBroker = WireRenewBroker() })),
        (nil, .access(.with { $0.renew = WireRenew() })),
        (nil, .heartbeat(WireHeartbeat())), (nil, .goodbye(WireGoodbye())),
        (nil, .probe(WireProbe())),
    ]

    @Test(arguments: [
        (Role.viewer, [Right.read]), (.reporter, [.report]),
        (.controller, [.read, .report, .command]), (.admin, [.read, .report, .command, .invite]),
    ])
    func aRoleMaySayWhatItsRightsAreAndNothingElse(role: Role, rights: [Right]) throws {
        var list = AccessList()
        list.restore(try Self.key(1), AccessList.Member(name: "m", role: role, since: 0))
        for (right, body) in Self.bodies {
            let isAllowed = right.map(rights.contains) ?? true
            let name = try? list.sender(of: body, with: try Self.key(1), at: Self.now)
            #expect((name == "m") == isAllowed, "\(role) \(body)")
        }
    }

    @Test func anInvitationMayJoinAndAStrangerNothing() throws {
        var list = try Self.list()
        _ = try ask(&list, try Self.key(1), invite(try Self.key(2), .admin))
        for (_, body) in Self.bodies {
            for key in [try Self.key(2), try Self.key(3)] {
                #expect(throws: ProtocolViolation.self) {
                    try list.sender(of: body, with: key, at: Self.now)
                }
            }
            #expect(throws: ProtocolViolation.self) {
                try list.sender(of: body, with: nil, at: Self.now)
            }
        }
        #expect(try ask(&list, try Self.key(2), join(try Self.key(4))).code == 0)
    }

    // MARK: Invitations

    @Test func anInvitationCountsItsUsesAndARepeatedJoinOnce() throws {
        var list = try Self.list()
        let invited = try Self.key(2)
        _ = try ask(&list, try Self.key(1), invite(invited, .reporter, uses: 2))
        for _ in 0..<5 {
            let answer = try ask(&list, invited, join(try Self.key(3)))
            #expect(answer.code == 0)
            #expect(answer.member.name == "ben" && answer.member.role == .reporter)
        }
        #expect(try ask(&list, invited, join(try Self.key(4))).member.name == "ben-2")
        let late = try ask(&list, invited, join(try Self.key(5)))
        #expect(late.code == RefusalCode.notPermitted.rawValue)
        #expect(late.sentence.contains("as often as it may"))
        #expect(try ask(&list, invited, join(try Self.key(4))).code == 0)
        #expect(list.members.count == 3)
    }

    @Test func anInvitationThatHasExpiredLetsNobodyIn() throws {
        var list = try Self.list()
        _ = try ask(&list, try Self.key(1), invite(try Self.key(2), .viewer))
        #expect(list.standing(of: try Self.key(2), at: Self.now + 59) == .invited)
        #expect(list.standing(of: try Self.key(2), at: Self.now + 60) == .unknown)
        #expect(list.prune(at: Self.now + 60) == [try Self.key(2)])
        #expect(list.invitations.isEmpty)
    }

    @Test(arguments: ["", "a b", "a\nadmin", "ä"])
    func aNameThatNoShellTakesAsAWordIsRefused(name: String) throws {
        var list = try Self.list()
        _ = try ask(&list, try Self.key(1), invite(try Self.key(2), .viewer))
        let answer = try ask(&list, try Self.key(2), join(try Self.key(3), name))
        #expect(answer.code == RefusalCode.malformed.rawValue)
        #expect(list.members.count == 1)
    }

    @Test func nobodyJoinsWithTheKeyOfAMemberOrOfAnInvitation() throws {
        var list = try Self.list()
        _ = try ask(&list, try Self.key(1), invite(try Self.key(2), .viewer, uses: 9))
        for taken: UInt8 in [1, 2] {
            let answer = try ask(&list, try Self.key(2), join(try Self.key(taken)))
            #expect(answer.code == RefusalCode.notPermitted.rawValue)
        }
        #expect(list.members.count == 1)
    }

    // MARK: The end of keys

    @Test func whoIsRevokedIsUnknownFromThatMomentWithAllKeys() throws {
        var list = try Self.list()
        _ = try ask(&list, try Self.key(1), invite(try Self.key(2), .viewer))
        _ = try ask(&list, try Self.key(2), join(try Self.key(3)))
        _ = try ask(&list, try Self.key(3), .renew(.with { $0.publicKey = try? Self.key(4) }))
        let answer = try ask(&list, try Self.key(1), .revoke(.with { $0.name = "ben" }))
        #expect(answer.code == 0 && answer.sentence.isEmpty)
        for key: UInt8 in [3, 4] {
            #expect(list.standing(of: try Self.key(key), at: Self.now) == .unknown)
        }
        let again = try ask(&list, try Self.key(1), .revoke(.with { $0.name = "ben" }))
        #expect(again.code == RefusalCode.unknownTask.rawValue)
    }

    @Test func toRevokeSaysWhichInvitationWouldLetTheMemberInAgain() throws {
        var list = try Self.list()
        _ = try ask(&list, try Self.key(1), invite(try Self.key(2), .reporter, uses: 3))
        _ = try ask(&list, try Self.key(2), join(try Self.key(3)))
        let label = try Self.key(2).label
        let answer = try ask(&list, try Self.key(1), .revoke(.with { $0.name = "ben" }))
        #expect(answer.code == 0)
        #expect(answer.sentence.contains("the invitation \(label), which still lets 2 join"))
        let invitation = try ask(&list, try Self.key(1), .revoke(.with { $0.name = label }))
        #expect(invitation.code == 0 && invitation.sentence.isEmpty)
    }

    @Test func theLastAdminStays() throws {
        var list = try Self.list()
        let answer = try ask(&list, try Self.key(1), .revoke(.with { $0.name = "anna" }))
        #expect(answer.code == RefusalCode.notPermitted.rawValue)
        #expect(list.members.count == 1)
    }

    @Test func aFormerKeyIsValidForADayAndCannotBeRenewed() throws {
        var list = try Self.list()
        let renew = WireAccessRequest.OneOf_Operation.renew(
            .with { $0.publicKey = try? Self.key(2) }
        )
        #expect(try ask(&list, try Self.key(1), renew).code == 0)
        #expect(try ask(&list, try Self.key(1), renew).code == 0, "the same once more")
        let other = WireAccessRequest.OneOf_Operation.renew(
            .with { $0.publicKey = try? Self.key(3) }
        )
        #expect(try ask(&list, try Self.key(1), other).code == RefusalCode.notPermitted.rawValue)
        let day = AccessList.formerKeyKept
        #expect(list.standing(of: try Self.key(1), at: Self.now + day - 1) != .unknown)
        #expect(list.standing(of: try Self.key(1), at: Self.now + day) == .unknown)
        #expect(list.standing(of: try Self.key(2), at: Self.now + day) != .unknown)
    }

    // MARK: Bounds

    /// One of many.
    private static func numberedKey(_ number: Int) throws -> BusKey {
        var bytes = [UInt8](repeating: 9, count: 32)
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return try #require(BusKey(bytes))
    }

    @Test func membersAndInvitationsAreBounded() throws {
        var list = try Self.list()
        for number in 0..<AccessList.invitationLimit {
            _ = try ask(
                &list,
                try Self.key(1),
                invite(try Self.numberedKey(number), .reporter, uses: 100_000)
            )
        }
        let many = try ask(&list, try Self.key(1), invite(try Self.numberedKey(-1), .viewer))
        #expect(many.code == RefusalCode.busy.rawValue)
        for number in 1..<AccessList.memberLimit {
            list.restore(
                try Self.numberedKey(100_000 + number),
                AccessList.Member(name: "m\(number)", role: .reporter, since: 0)
            )
        }
        #expect(
            try ask(&list, try Self.numberedKey(0), join(try Self.key(7))).code
                == RefusalCode.busy.rawValue
        )
        let file = AccessFile(secret: try Self.key(5), list: list).text
        #expect(file.utf8.count < AccessFile.byteLimit / 2)
        #expect(AccessFile(parsing: file)?.text == file)
    }

    @Test func membersAndInvitationsAreListedInPages() throws {
        var list = try Self.list()
        for number in 0..<700 {
            let key = try Self.numberedKey(number)
            _ = try ask(&list, try Self.key(1), invite(key, .reporter))
            let member = AccessList.Member(name: "m\(number % 7)", role: .reporter, since: 0)
            list.restore(try Self.numberedKey(1_000 + number), member)
        }
        var pages = 0
        var found = 0
        var isLast = false
        while !isLast {
            let page = try ask(&list, try Self.key(1), .members(.with { $0.skip = UInt32(found) }))
            found += page.members.count + page.invitations.count
            isLast = page.last
            pages += 1
            try #require(!page.members.isEmpty || !page.invitations.isEmpty)
        }
        #expect(found == 700 + 700 + 1 && pages == 3)
    }

    @Test func aDamagedFileIsNotReadInPart() throws {
        let text = AccessFile(secret: try Self.key(5), list: try Self.list()).text
        #expect(AccessFile(parsing: text) != nil)
        for damaged in [
            "", String(text.dropFirst()), text + "member\n", text + "rubbish 1 2\n",
            text.replacing("admin", with: "owner"), String(text.dropLast(6)),
        ] {
            #expect(AccessFile(parsing: damaged) == nil, "\(damaged)")
        }
    }

    @Test func refusedAttemptsAreCountedByAddressAndHeldOff() {
        var refused = RefusedAttempts()
        for _ in 1..<RefusedAttempts.perWindow { refused.add("10.0.0.1", at: Self.now) }
        #expect(!refused.holdsOff("10.0.0.1", at: Self.now))
        refused.add("10.0.0.1", at: Self.now + 1)
        #expect(refused.holdsOff("10.0.0.1", at: Self.now + 1))
        #expect(!refused.holdsOff("10.0.0.2", at: Self.now + 1))
        #expect(!refused.holdsOff("10.0.0.1", at: Self.now + RefusedAttempts.window))
        for number in 0..<3_000 { refused.add("a\(number)", at: Self.now + 2) }
        #expect(refused.count == UInt64(RefusedAttempts.perWindow + 3_000))
        #expect(refused.most.count == RefusedAttempts.shown)
        #expect(refused.tableSize == RefusedAttempts.addressLimit)
    }
}
