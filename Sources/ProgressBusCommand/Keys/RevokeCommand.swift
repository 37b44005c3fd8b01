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
            What it had begun and not ended is shown as lost, or is cancelled where a script had begun \
            it with `progressbus begin`.

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
