import TaskTree

/// Who has redeemed which ticket, and what the broker has decided about it.
struct TicketBook {
    /// The decision about each redeemer.
    private(set) var bindings: [TaskID: Binding] = [:]
    /// By session, the redeemers of tickets that were already taken: they are shown nowhere.
    private(set) var inert: [SessionID: Set<TaskID>] = [:]
    /// By ticket, who holds it and which attempt that is.
    var holdings: [TaskID: TicketHolding] = [:]

    /// Sets the decision about a redeemer; returns the former one.
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

/// The holder of a ticket, and its attempt.
struct TicketHolding {
    var attempt: UInt32
    /// `nil` where the last holder no longer states its task: another attempt may begin.
    var holder: TaskID?
}
