import ArgumentParser
import BusProtocol
import ProgressBus

/// `progressbus renew`: takes another key to a bus, or has its broker take another one.
struct RenewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Takes another key to a bus, in place of the one you have.",
        discussion: """
            The key that you had stays valid for a day, for what runs with it; a worker that still \
            runs then reads the new one by itself.

            With --broker an admin has the broker take another key, a day later. Until then it tells \
            its next key to every member that it speaks with, and nobody has to do anything. Whoever \
            is away for all of that day must join anew, and invitations that are not used by then \
            must be made anew.

            \(KeyOptions.codes)
            """
    )

    @OptionGroup var bus: KeyOptions

    @Flag(help: "Renew the broker's key, not yours; for admins.")
    var broker = false

    @Flag(
        help: ArgumentHelp(
            "With --broker: at once, as where somebody may have read the key that it has.",
            discussion: "Members that have not heard of the next key by then must join anew."
        )
    )
    var now = false

    func validate() throws {
        if now, !broker { throw ValidationError("--now goes with --broker") }
    }

    func run() throws {
        let membership = try bus.membership()
        if broker { try renewBroker(of: membership) } else { try renew(membership) }
    }

    private func renew(_ membership: Membership) throws {
        guard let keys = BusKeyPair.new() else {
            throw CommandFailure(.unavailable, "this libzmq has no CURVE")
        }
        do {
            try membership.file.prepare()
        } catch {
            throw CommandFailure(.cannotCreate, error.sentence)
        }
        var renew = WireRenew()
        renew.publicKey = keys.public
        let member = try bus.ask(.renew(renew), of: membership).answer.member
        do {
            try membership.file.change { kept in
                kept.keys = keys
                kept.name = member.name
                kept.role = Role(member.role)
            }
        } catch {
            throw CommandFailure(.cannotCreate, error.sentence)
        }
    }

    private func renewBroker(of membership: Membership) throws {
        var renew = WireRenewBroker()
        let reply = try bus.ask(.renewBroker(renew), of: membership)
        guard now, let next = reply.nextKey else {
            StandardStreams.complain(
                "the broker of \(membership.bus) takes its next key at "
                    + "\(MembersCommand.day(reply.answer.renews)); members learn it by themselves, "
                    + "unless they are away until then"
            )
            return
        }
        // The request names the key, so that a repeated request does not renew the key again.
        renew.publicKey = next
        _ = try bus.ask(.renewBroker(renew), of: membership)
        StandardStreams.complain("the broker of \(membership.bus) takes its next key now")
    }
}
