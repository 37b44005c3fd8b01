import BusProtocol
import CLibrary

/// The variables of this process.
enum ProcessEnvironment {
    static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The variables that the endpoint depends on.
    static func endpointVariables() -> [String: String] {
        var variables: [String: String] = [:]
        for name in BusEndpoint.environmentVariables { variables[name] = self[name] }
        return variables
    }
}

/// The variables of the environment that say what a process was started for.
enum InheritedVariable {
    static let ticket = "PROGRESSBUS_TICKET"
    static let parent = "PROGRESSBUS_PARENT"
}
