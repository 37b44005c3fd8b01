import ChildProcesses
import TaskTree

/// What a command finds in its environment beside what we have found.
enum CommandEnvironment {
    /// Makes the command's task the parent of all that it reports itself.
    ///
    /// - Parameters:
    ///   - environment: Ours. The ticket in it was for us.
    ///   - parent: The command's task.
    ///   - endpoint: What `--endpoint` says, if anything.
    static func change(
        _ environment: inout EnvironmentBlock,
        parent: TaskID,
        endpoint: String?
    ) {
        environment.set("PROGRESSBUS_TICKET", to: nil)
        environment.set("PROGRESSBUS_PARENT", to: SystemString(parent.description))
        if let endpoint { environment.set("PROGRESSBUS_ENDPOINT", to: SystemString(endpoint)) }
    }
}

extension EnvironmentBlock {
    /// Where programs are looked for.
    var searchPath: SystemString { value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin" }
}
