import BusProtocol
import ProgressBus

/// What `doctor` says of a bus at tcp: who can speak with its broker, and who has tried to.
extension Examination {
    /// Seconds until the broker must have said whom it has refused.
    private static let patience = 2.0

    /// Who can reach it, and with which role one is a member of it.
    static func access(to endpoint: BusEndpoint) -> Diagnostic {
        guard let membership = endpoint.membership else {
            let who =
                endpoint.isLoopback ? "every user of this machine" : "everybody who reaches it"
            return .note(
                "You use this tcp endpoint without a key. If its broker has none, \(who) can read, "
                    + "report and cancel."
            )
        }
        let role = membership.role.map { ", \($0.rawValue)" } ?? ""
        return .note("The bus has keys; you joined it as \(membership.name)\(role).")
    }

    /// Whom the broker has refused to let in, which it tells admins.
    static func refusedAttempts(at endpoint: BusEndpoint) async -> [Diagnostic] {
        guard endpoint.membership?.role == .admin else { return [] }
        let answer = await onOwnThread("doctor") {
            Swift.Result { () throws(AccessError) in
                try AccessExchange.ask(
                    .members(WireMembersRequest()),
                    of: endpoint,
                    within: patience
                )
            }
        }
        switch answer {
        case .failure(let error): return [.bad("Who was refused is not known: \(error.sentence)")]
        case .success(let reply): return [refused(reply.answer)]
        }
    }

    static func refused(_ answer: WireAccessAnswer) -> Diagnostic {
        guard answer.refused > 0 else { return .ok("Nobody was refused for want of a key.") }
        let most = answer.addresses.prefix(5).map { "\($0.address) (\($0.count))" }
        return .note(
            "\(answer.refused) attempts were refused for want of a key, most of them from "
                + most.joined(separator: ", ") + "; `progressbus members` lists who may come."
        )
    }
}
