package import TaskTree

extension WireDescription {
    /// Cuts texts to their limits, so that what we send is never refused for its length.
    package init(index: UInt64, _ task: TaskDescription) {
        self.init()
        self.index = index
        switch task.parent {
        case .none: break
        case .task(let id): parent = WireTaskRef(id)
        case .ticket(let id): ticket = WireTaskRef(id)
        }
        isTicket = task.isTicket
        title = task.title.limited(toUTF8: ProtocolLimits.titleBytes)
        unit = task.unit.limited(toUTF8: ProtocolLimits.unitBytes)
        key = task.key.limited(toUTF8: ProtocolLimits.keyBytes)
        if let value = task.share { share = min(max(0, value), ProtocolLimits.maxShare) }
        set(task.options)
        totalIsEstimate = task.options.totalIsEstimate
        begun = task.begun.isFinite ? min(max(0, task.begun), ProtocolLimits.maxUnixTime) : 0
    }

    /// What a validated description says; `sender` is the session that said it.
    package func taskDescription(sender: SessionID) -> TaskDescription {
        var task = TaskDescription(parent: parentLink(sender: sender), title: title)
        task.isTicket = isTicket
        task.unit = unit
        task.key = key
        task.share = hasShare ? share : nil
        task.options = options
        task.options.totalIsEstimate = totalIsEstimate
        task.begun = begun
        return task
    }

    private func parentLink(sender: SessionID) -> ParentLink {
        if hasTicket, let id = ticket.taskID(sender: sender) { return .ticket(id) }
        if hasParent, let id = parent.taskID(sender: sender) { return .task(id) }
        return .none
    }
}
