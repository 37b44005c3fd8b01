import BrokerJournal
package import BusProtocol

/// Whether a broker of this endpoint has left a journal, so that another would show what is in it.
package func hasJournal(of endpoint: BusEndpoint, environment: [String: String]) -> Bool {
    let directory = StateDirectory.path(
        endpoint: endpoint.description,
        explicit: nil,
        environment: environment
    )
    return Journal.exists(in: directory)
}
