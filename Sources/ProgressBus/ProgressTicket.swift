import BusProtocol
public import TaskTree

/// A part of a task that somebody else will do, usually another process.
///
/// A ticket is a short text that survives an environment variable, an argument, an HTTP header or a
/// job queue. The part is shown as waiting until the ticket is redeemed. When an attempt fails, is
/// cancelled or is lost, the same ticket can be redeemed again; viewers show the next attempt in
/// the same place.
public struct ProgressTicket: Sendable, Hashable {
    /// The task that the ticket stands for.
    public let task: TaskID

    /// Where the issuer's broker is, for `environment(mergedInto:)`; `nil` for a parsed ticket.
    let endpoint: String?

    package init(task: TaskID, endpoint: String? = nil) {
        self.task = task
        self.endpoint = endpoint
    }

    /// Reads a ticket's text; `nil` if it is not one.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let task = TaskID(String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(task: task)
    }

    /// Names the format, so that readers can tell a later format from it.
    private static let prefix = "pbt1-"

    /// The ticket as text: letters, digits and hyphens, less than 50 of them.
    public var text: String { Self.prefix + task.description }

    /// The environment for a process that is to redeem the ticket with `redeemInherited`.
    ///
    /// - Parameter environment: The rest of the process' environment.
    /// - Returns: The same with the ticket and the issuer's endpoint, and without
    ///   `PROGRESSBUS_PARENT`, which a process with a ticket does not use.
    public func environment(
        mergedInto environment: [String: String] = [:]
    ) -> [String: String] {
        var merged = environment
        merged[InheritedVariable.ticket] = text
        merged[InheritedVariable.parent] = nil
        if let endpoint { merged[BusEndpoint.environmentVariable] = endpoint }
        return merged
    }
}

extension ProgressTicket: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}
