import ArgumentParser
import BusProtocol
import DashboardCore
import ProgressBus

/// The options that the commands about the members of a bus share.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name of the bus.",
            discussion: "If not given, PROGRESSBUS_ENDPOINT; or the only bus that you have joined.",
            valueName: "name"
        )
    )
    var endpoint: String?

    @OptionGroup var patience: AnswerPatience

    static let codes = """
        Exit codes: 0; 64 a mistake in what was given; 69 there is no answer; 77 the broker refuses.
        """

    /// Returns this user's membership of the bus that the options name.
    func membership() throws(CommandFailure) -> Membership {
        let environment = OwnProcess.environment
        var name = endpoint
        let variable = environment[BusEndpoint.environmentVariable] ?? ""
        if name == nil, variable.isEmpty {
            let all = NamedBus.all(environment: environment)
            guard all.count == 1 else {
                throw CommandFailure(
                    .usage,
                    all.isEmpty
                        ? "you have joined no bus: ask an admin for an invitation, and give it to "
                            + "`progressbus join`"
                        : "say which bus: --endpoint " + all.joined(separator: ", --endpoint ")
                )
            }
            name = all[0]
        }
        let resolved = try EndpointOptions.resolve(name).endpoint
        guard let membership = resolved.membership else {
            throw CommandFailure(
                .usage,
                "\(resolved) is an address, for which you have no key: name the bus as you have joined "
                    + "it, as in --endpoint team"
            )
        }
        return membership
    }

    func ask(
        _ operation: WireAccessRequest.OneOf_Operation,
        of membership: Membership
    ) throws(CommandFailure) -> AccessReply {
        do {
            let endpoint = try BusEndpoint(membership)
            let reply = try AccessExchange.ask(operation, of: endpoint, within: patience.timeout)
            if !reply.answer.sentence.isEmpty {
                StandardStreams.complain("warning: " + PlainText.clean(reply.answer.sentence))
            }
            return reply
        } catch let error as AccessError {
            throw CommandFailure(error, bus: membership.bus)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}

extension CommandFailure {
    init(_ error: AccessError, bus: String) {
        switch error.reason {
        case .refused: self.init(.noPermission, PlainText.clean(error.sentence))
        case .unreachable:
            self.init(.unavailable, "\(bus): " + PlainText.clean(error.sentence))
        }
    }
}
