import ArgumentParser
import BusProtocol
import ProgressBus

/// `progressbus invite`: opens an invitation to a bus with keys, and prints it.
struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Prints an invitation to a bus that has keys.",
        discussion: """
            Whoever has the invitation can join, once unless you say --uses: send it as you would \
            send a password. It is given to `progressbus join`.

              viewer      looks at everything
              reporter    reports its own work, and sees nothing: for jobs on other machines
              controller  looks, reports, cancels, pauses, resumes and dismisses
              admin       all of it, and invites and revokes others

            \(KeyOptions.codes)
            """
    )

    @OptionGroup var bus: KeyOptions

    @Option(help: "What the new member may do: viewer, reporter, controller or admin.")
    var role = Role.viewer

    @Option(
        help: ArgumentHelp(
            "How long the invitation is valid, as in 90s, 30m, 12h or 7d.",
            discussion: "If not given, a day.",
            valueName: "time"
        ),
        transform: Self.seconds
    )
    var expires = UInt32(86_400)

    @Option(help: ArgumentHelp("How many may join by it.", valueName: "number"))
    var uses = UInt32(1)

    @Option(
        help: ArgumentHelp(
            "Where others reach the broker, if not where you do.",
            valueName: "tcp://host:port"
        )
    )
    var address: String?

    func validate() throws {
        guard (1...ProtocolLimits.maxUses).contains(uses) else {
            throw ValidationError("--uses is from 1 to \(ProtocolLimits.maxUses)")
        }
        guard let address else { return }
        guard case .tcp? = (try? BusEndpoint(parsing: address))?.kind else {
            throw ValidationError("--address is tcp://host:port")
        }
    }

    func run() throws {
        let membership = try bus.membership()
        guard let keys = BusKeyPair.new() else {
            throw CommandFailure(.unavailable, "this libzmq has no CURVE")
        }
        var invite = WireInvite()
        invite.publicKey = keys.public
        invite.role = role.wire
        invite.uses = uses
        invite.seconds = expires
        let reply = try bus.ask(.invite(invite), of: membership)
        // The broker may have taken its next key meanwhile.
        let server = (try? membership.file.read())?.server ?? membership.server
        let invitation = Invitation(
            bus: membership.bus,
            address: address ?? membership.address,
            server: server,
            secret: keys.secret
        )
        try StandardStreams.print(invitation.text)
        if reply.nextKey != nil {
            StandardStreams.complain(
                "it is void once the broker takes its next key, which `renew --broker` has asked for"
            )
        }
        if address == nil, (try? BusEndpoint(parsing: invitation.address))?.isLoopback == true {
            StandardStreams.complain(
                "only this machine reaches \(invitation.address); for others say --address"
            )
        }
    }

    private static func seconds(_ text: String) throws -> UInt32 {
        let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = UInt64(text.dropLast()),
            case let (seconds, isTooMuch) = number.multipliedReportingOverflow(by: unit),
            !isTooMuch,
            (1...UInt64(ProtocolLimits.maxInvitationSeconds)).contains(seconds)
        else {
            throw ValidationError("write a time as 90s, 30m, 12h or 7d; a year is the longest")
        }
        return UInt32(seconds)
    }
}

extension Role: ExpressibleByArgument {}
