import ProgressBus

extension TemporaryBus {
    /// A client of the library in this very process.
    func client() -> BusClient {
        BusClient(BusConfiguration(endpoint: endpoint, program: "end-to-end tests"))
    }

    /// A follower of the library in this very process; close it.
    func follower() -> BusFollower {
        BusFollower(BusConfiguration(endpoint: endpoint, program: "end-to-end tests"))
    }
}
