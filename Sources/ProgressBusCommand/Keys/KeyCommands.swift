import ArgumentParser
import BusProtocol
import ProgressBus

/// `progressbus revoke`: ends a membership or an invitation.
struct RevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Ends a membership or an invitation, at once.",
        discussion: """
            From that moment the member sees nothing and says nothing, whatever connections it has. \
            What it had reported stays, and is shown as lost when nothing more comes.

            \(KeyOptions.codes)
            """
    )

    @OptionGroup var bus: KeyOptions

    @Argument(
        help: "The member, or the key of the invitation, as `progressbus members` lists them."
    )
    var name: String

    func validate() throws {
        guard MemberName.isValid(name) else {
            throw ValidationError("a member is called by \(MemberName.rule)")
        }
    }

    func run() throws {
        var revoke = WireRevoke()
        revoke.name = name
        _ = try bus.ask(.revoke(revoke), of: try bus.membership())
    }
}

/// `progressbus renew`: takes another key to a bus.
struct RenewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Takes another key to a bus, in place of the one you have.",
        discussion: """
            The key that you had stays valid for a day, for what runs with it; a worker that still \
            runs then reads the new one by itself.

            \(KeyOptions.codes)
            """
    )

    @OptionGroup var bus: KeyOptions

    func run() throws {
        let membership = try bus.membership()
        guard let keys = BusKeyPair.new() else {
            throw CommandFailure(.unavailable, "this libzmq has no CURVE")
        }
        var renew = WireRenew()
        renew.publicKey = keys.public
        let member = try bus.ask(.renew(renew), of: membership).member
        let renewed = Membership(
            file: membership.file,
            address: membership.address,
            server: membership.server,
            keys: keys,
            name: member.name,
            role: Role(member.role)
        )
        do {
            try membership.file.write(renewed)
        } catch {
            throw CommandFailure(.cannotCreate, error.sentence)
        }
    }
}
