import BusProtocol

/// What `doctor` says of a fleet.
extension Examination {
    /// Whether the broker here is to join one, and what keeps it from that.
    static func fleet(of endpoint: BusEndpoint) -> [Diagnostic] {
        let environment = OwnProcess.environment
        let path = FleetConfiguration.path(environment: environment)
        do {
            guard let fleet = try FleetConfiguration(environment: environment) else { return [] }
            guard try fleet.arguments(for: endpoint) != nil else {
                return [
                    .note("\(path) is for a broker at another endpoint; this one joins no fleet.")
                ]
            }
            _ = try FleetBridgeService.program()
            return [.ok("The broker is to join the fleet \(fleet.bus), as \(path) says.")]
        } catch {
            return [.bad("No fleet is joined: \(error).")]
        }
    }
}
