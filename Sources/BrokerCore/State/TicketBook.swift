import TaskTree

/// The holders of tickets.
struct TicketBook {
    /// What has been decided about each redeemer.
    private(set) var bindings: [TaskID: Binding] = [:]
    /// The redeemers of each session that are shown nowhere: seldom are there any.
    private(set) var inert: [SessionID: Set<TaskID>] = [:]
    var holdings: [TaskID: TicketHolding] = [:]

    /// Remembers what has been decided about a redeemer; returns what was before.
    @discardableResult
    mutating func bind(_ reporter: TaskID, to binding: Binding?) -> Binding? {
        let former = bindings[reporter]
        bindings[reporter] = binding
        if former == .inert {
            inert[reporter.session]?.remove(reporter)
            if inert[reporter.session]?.isEmpty == true { inert[reporter.session] = nil }
        }
        if binding == .inert { inert[reporter.session, default: []].insert(reporter) }
        return former
    }
}
