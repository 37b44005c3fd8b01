import ArgumentParser
import BusProtocol
import DashboardCore
import Essentials
import ProcessControl
import ProgressBus

/// `progressbus join`: becomes a member of a bus by an invitation.
struct JoinCommand: ParsableCommand {
    static let variable = "PROGRESSBUS_INVITATION"

    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Becomes a member of a bus by an invitation.",
        discussion: """
            The invitation comes from \(variable), or else from standard input; it is never an \
            argument, which everybody on this machine could read. From then on \
            PROGRESSBUS_ENDPOINT=NAME is the bus. The key to it is made here and kept in \
            ~/.config/progressbus/buses/NAME, which nobody else may read.

            \(KeyOptions.codes)
            """
    )

    @Argument(help: "What to call the bus here; if not given, as whoever invites calls it.")
    var name: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What the bus is to call you.",
            discussion: "If not given, your name and this machine: anna@laptop.",
            valueName: "member"
        )
    )
    var member: String?

    @OptionGroup var patience: AnswerPatience

    @Flag(help: "Take the place of a bus of this name that was joined before.")
    var replace = false

    func validate() throws {
        if let name, name.hasPrefix(Invitation.prefix) {
            throw ValidationError(
                "that is an invitation, which everybody here may have read now: ask for another one, "
                    + "and give it to standard input or \(Self.variable)"
            )
        }
        if let name, !NamedBus.isName(name) {
            throw ValidationError("a bus is called by letters, digits and . _ -")
        }
        if let member, !MemberName.isValid(member) {
            throw ValidationError("--as is \(MemberName.rule)")
        }
    }

    func run() throws {
        let environment = OwnProcess.environment
        let invitation: Invitation
        do {
            invitation = try Invitation(parsing: Self.token(environment))
        } catch let error as EndpointError {
            throw CommandFailure(.usage, PlainText.clean(error.sentence))
        }
        let file = NamedBus(name ?? invitation.bus, environment: environment)
        if !replace, NamedBus.all(environment: environment).contains(file.name) {
            throw CommandFailure(
                .usage,
                "you have joined a bus \(file.name) already: give this one another name, as in "
                    + "`progressbus join \(file.name)-2`, or say --replace"
            )
        }
        let user = environment["USER"] ?? environment["LOGNAME"] ?? "user"
        let wish = member ?? MemberName.from(user + "@" + ProcessInfo.processInfo.hostName)
        let membership: Membership
        do {
            membership = try invitation.join(keeping: file, as: wish, within: patience.timeout)
        } catch let error as AccessError {
            throw CommandFailure(error, bus: file.name)
        } catch let error as EndpointError {
            throw CommandFailure(.cannotCreate, PlainText.clean(error.sentence))
        }
        let role = membership.role?.rawValue ?? "member"
        StandardStreams.complain(
            "joined \(membership.bus) as \(membership.name), \(role); use it with "
                + "\(BusEndpoint.environmentVariable)=\(membership.bus)"
        )
    }

    private static func token(_ environment: [String: String]) throws(CommandFailure) -> String {
        if let token = environment[variable], !token.isEmpty { return token }
        if isatty(STDIN_FILENO) == 1 { StandardStreams.complain("paste the invitation:") }
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandFailure(
                .usage,
                "there is no invitation: set \(variable), or write it to standard input"
            )
        }
        return line
    }
}
