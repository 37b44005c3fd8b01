import BusProtocol
public import TaskTree

/// A part of a task that somebody else will do, usually another process.
///
/// A short text that survives an environment variable, an argument, an HTTP header or a job queue.
/// Until it is redeemed the part is shown as waiting. When an attempt fails or is lost, the same
/// ticket can be redeemed again; what shows is the next attempt in the same place.
public struct ProgressTicket: Sendable, Hashable {
    /// The task that the ticket stands for.
    public let task: TaskID

    /// Where the issuer's broker is, for `environment(mergedInto:)`; `nil` for a parsed ticket.
    let endpoint: String?

    init(task: TaskID, endpoint: String?) {
        self.task = task
        self.endpoint = endpoint
    }

    /// Reads a ticket's text; `nil` if it is not one.
    public init?(_ text: String) {
        guard let ticket = TicketString(parsing: text) else { return nil }
        self.init(task: ticket.task, endpoint: nil)
    }

    /// The ticket as text: letters, digits and hyphens, less than 50 of them.
    public var text: String { TicketString(task).text }

    /// The environment for a process that is to redeem the ticket with `redeemInherited`.
    ///
    /// - Parameter environment: What the process inherits otherwise.
    /// - Returns: The same with ticket and endpoint, and without a parent that the process would not
    ///   use anyway.
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
