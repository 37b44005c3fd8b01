import BusProtocol
import Foundation
import SwiftProtobuf

/// Requests about who may speak with a broker that has keys, and its answers.
extension Vectors {
    private static let key = BusKey((1...32).map { UInt8($0) })

    static let acceptedAccess: [VectorCase] = [
        request("client-access-join", "An invitation makes a key a member's.") {
            $0.join = .with {
                $0.publicKey = key
                $0.name = "anna@laptop"
            }
        },
        request("client-access-renew", "A member takes another key.") {
            $0.renew = .with { $0.publicKey = key }
        },
        request("client-access-renew-broker", "The broker is to take its next key at once.") {
            $0.renewBroker = .with { $0.publicKey = key }
        },
        .accepted(
            "broker-next-key",
            WireBrokerFrame.with {
                $0.epoch = Samples.epoch
                $0.nextPublicKey = key
            },
            "News for whoever is connected: the key that the broker will have next."
        ),
        answer("broker-access-renews", "When the broker takes its next key.") {
            $0.renews = 1_795_316_400
        },
        request("client-access-invite", "An admin invites a hundred reporters for an hour.") {
            $0.invite = .with {
                $0.publicKey = key
                $0.role = .reporter
                $0.uses = 100
                $0.seconds = 3_600
            }
        },
        request("client-access-revoke", "An admin ends a membership.") {
            $0.revoke = .with { $0.name = "anna@laptop" }
        },
        request("client-access-members", "An admin asks for the second page of members.") {
            $0.members = .with { $0.skip = 480 }
        },
        answer("broker-access-joined", "Who has joined, by another name than the one wanted.") {
            $0.member = member
        },
        answer("broker-access-members", "Members, an invitation, and who was refused.") {
            $0.members = [member]
            $0.invitations = [
                .with {
                    $0.name = "0a1b2c3d"
                    $0.role = .viewer
                    $0.uses = 1
                    $0.expires = 1_795_233_600
                    $0.by = "root@tower"
                }
            ]
            $0.last = true
            $0.refused = 7
            $0.addresses = [
                .with {
                    $0.address = "192.0.2.7"
                    $0.count = 7
                    $0.last = 1_795_230_000
                }
            ]
        },
        answer("broker-access-refused", "It cannot be done, and why.") {
            $0.code = RefusalCode.notPermitted.rawValue
            $0.sentence = "The invitation has expired; ask for another one."
        },
    ]

    static let rejectedAccess: [VectorCase] = [
        refused("access-key-short", .malformed, "A key of 31 bytes.") {
            $0.join = .with {
                $0.key = .init((1...31).map { UInt8($0) })
                $0.name = "anna"
            }
        },
        refused("access-key-zero", .malformed, "A key of zeros.") {
            $0.renew = .with { $0.key = .init([UInt8](repeating: 0, count: 32)) }
        },
        refused("access-renew-broker", .malformed, "A next key of one byte.") {
            $0.renewBroker = .with { $0.take = .init([1]) }
        },
        .rejected(
            "broker-next-key-zero",
            .malformed,
            WireBrokerFrame.with {
                $0.epoch = 1
                $0.nextKey = .init([UInt8](repeating: 0, count: 32))
            },
            "A next key of zeros."
        ),
        refused("access-name", .tooLong, "A name of 65 bytes.") {
            $0.revoke = .with { $0.name = text(65) }
        },
        refused("access-role", .outOfRange, "An invitation to no role.") {
            $0.invite = .with {
                $0.publicKey = key
                $0.uses = 1
                $0.seconds = 1
            }
        },
        refused("access-uses", .outOfRange, "An invitation that nobody can use.") {
            $0.invite = .with {
                $0.publicKey = key
                $0.role = .viewer
                $0.seconds = 1
            }
        },
        refused("access-request", .outOfRange, "A request without a number.") {
            $0.request = 0
            $0.members = WireMembersRequest()
        },
    ]

    private static let member = WireMember.with {
        $0.name = "anna@laptop-2"
        $0.role = .controller
        $0.publicKey = key
        $0.since = 1_795_230_000
        $0.expires = 1_795_316_400
    }

    private static func request(
        _ name: String,
        _ about: String,
        _ build: (inout WireAccessRequest) -> Void
    ) -> VectorCase {
        var request = WireAccessRequest()
        request.request = 9
        build(&request)
        return .accepted(name, Samples.client(.access(request)), about)
    }

    private static func answer(
        _ name: String,
        _ about: String,
        _ build: (inout WireAccessAnswer) -> Void
    ) -> VectorCase {
        var answer = WireAccessAnswer()
        answer.request = 9
        build(&answer)
        return .accepted(name, Samples.broker(.access(answer)), about)
    }

    private static func refused(
        _ name: String,
        _ code: RefusalCode,
        _ about: String,
        _ build: (inout WireAccessRequest) -> Void
    ) -> VectorCase {
        var request = WireAccessRequest()
        request.request = 9
        build(&request)
        return .rejected(name, code, Samples.client(.access(request)), about)
    }
}
