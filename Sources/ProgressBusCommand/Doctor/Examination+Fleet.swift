import BusProtocol
import DashboardCore

/// The checks of `doctor` that concern a fleet.
extension Examination {
    /// The most hosts that are named, of those that are heard and of those that are not.
    private static let mostNamed = 5

    /// Checks whether the broker at the endpoint is to join a fleet, and what prevents it.
    static func fleet(of endpoint: BusEndpoint) -> [Diagnostic] {
        let environment = OwnProcess.environment
        let path = FleetConfiguration.path(environment: environment)
        do {
            guard let fleet = try FleetConfiguration(environment: environment) else { return [] }
            guard try fleet.arguments(for: endpoint) != nil else {
                return [
                    .note(
                        "\(path) is for a broker at another endpoint. For this one to join instead, its "
                            + "line endpoint has to be: endpoint \(endpoint)"
                    )
                ]
            }
            _ = try FleetBridgeService.program()
            return [.ok("The broker is to join the fleet \(fleet.bus), as \(path) says.")]
        } catch {
            return [.bad("No fleet is joined: \(error).")]
        }
    }

    /// Says what keeps the broker from its fleet, and which other hosts of the fleet it hears.
    ///
    /// - Parameters:
    ///   - said: The broker's answer to a probe, which tells the state of its fleet.
    ///   - now: Unix seconds.
    /// - Returns: `bad` for trouble, or if no host at all is heard; a few hosts that are switched
    ///   off are a `note`. Empty if the broker knows of no other host and has no trouble.
    static func fleetHosts(_ said: WireProbeAnswer, now: Double) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        let trouble = PlainText.clean(said.trouble)
        if !said.trouble.isEmpty {
            let end = trouble.hasSuffix(".") ? "" : "."
            diagnostics.append(.bad("Something keeps this host from its fleet: \(trouble)\(end)"))
        }
        guard !said.hosts.isEmpty else { return diagnostics }
        let unheard = said.hosts.filter { $0.unheard > 0 }
        let heard = said.hosts.filter { $0.unheard == 0 }.map { PlainText.clean($0.name) }
        guard !heard.isEmpty else {
            guard said.otherHosts == 0 else {
                let sentence = "Of the fleet \(said.hosts.count) hosts or more are not heard."
                return diagnostics + [.note(sentence)]
            }
            let silence = HumanTime.duration(unheard.map { now - $0.unheard }.min() ?? 0)
            let why =
                diagnostics.isEmpty
                ? ": all of them are gone, or the bridge is; the broker's log says which" : ""
            let sentence = "No other host of the fleet has been heard for \(silence)\(why)."
            return diagnostics + [.bad(sentence)]
        }
        diagnostics += unheard.prefix(mostNamed).map { host in
            let silence = HumanTime.duration(now - host.unheard)
            let name = PlainText.clean(host.name)
            return Diagnostic.note("Host \(name) of the fleet has not been heard for \(silence).")
        }
        let rest = heard.count - min(heard.count, mostNamed) + Int(clamping: said.otherHosts)
        let names = heard.prefix(mostNamed).joined(separator: ", ")
        let more = rest > 0 ? " and \(HumanNumbers.grouped(rest)) more" : ""
        diagnostics.append(.ok("The broker hears these hosts of the fleet: \(names)\(more)."))
        for (name, same) in Dictionary(grouping: heard, by: \.self) where same.count > 1 {
            diagnostics.append(
                .note(
                    "\(same.count) hosts of the fleet are called \(name): give each its own name."
                )
            )
        }
        return diagnostics
    }
}
