import BrokerJournal
package import BusProtocol
import Essentials

/// Where a broker of an endpoint keeps its journal on this host.
package struct JournalLocation {
    /// The directory; it need not exist.
    package let directory: String

    /// Finds the directory as the broker does; `explicit` is
    /// ``BrokerConfiguration/stateDirectory``.
    package init(
        of endpoint: BusEndpoint,
        explicit: String? = nil,
        environment: [String: String]
    ) {
        directory = StateDirectory.path(
            endpoint: endpoint.description,
            host: ProcessInfo.processInfo.hostName,
            explicit: explicit,
            environment: environment
        )
    }

    /// The path of another file in the user's state directory; it need not exist.
    package static func path(_ name: String, environment: [String: String]) -> String {
        StateDirectory.base(explicit: nil, environment: environment) + "/" + name
    }

    /// Whether a broker has left a journal, so that another would show what is in it.
    package var hasJournal: Bool { Journal.exists(in: directory) }

    /// Why no journal can be kept there, in words; `nil` if one can.
    ///
    /// Makes the directory, and writes and removes a file.
    package func trouble() -> String? {
        do throws(JournalError) {
            try StateDirectory.make(directory)
            try StateDirectory.tryWriting(in: directory)
            return nil
        } catch {
            return error.sentence
        }
    }
}
