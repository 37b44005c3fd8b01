package import TaskTree

extension WireDescription {
    /// Texts beyond their limits are cut, so that what we send is never refused for its length.
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
        tint = task.tint.limited(toUTF8: ProtocolLimits.tintBytes)
        consequence = task.consequence.limited(toUTF8: ProtocolLimits.consequenceBytes)
        if let value = task.share { share = min(max(0, value), ProtocolLimits.maxShare) }
        if let value = task.expectedChildren { expectedChildren = max(0, value) }
        if let value = task.expectedGap, value >= 0 {
            expectedGap = min(value, ProtocolLimits.maxExpectedGap)
        }
        totalIsEstimate = task.totalIsEstimate
        style = task.style.wire
        background = task.isBackground
        cancellable = task.isCancellable
        pausable = task.isPausable
        begun = task.begun.isFinite ? min(max(0, task.begun), ProtocolLimits.maxUnixTime) : 0
    }

    /// What a validated description says; `sender` is the session that said it.
    package func taskDescription(sender: SessionID) -> TaskDescription {
        var task = TaskDescription(parent: parentLink(sender: sender), title: title)
        task.isTicket = isTicket
        task.unit = unit
        task.key = key
        task.share = hasShare ? share : nil
        task.expectedChildren = hasExpectedChildren ? expectedChildren : nil
        task.totalIsEstimate = totalIsEstimate
        task.style = style.taskStyle
        task.isBackground = background
        task.tint = tint
        task.isCancellable = cancellable
        task.isPausable = pausable
        task.consequence = consequence
        task.expectedGap = hasExpectedGap ? expectedGap : nil
        task.begun = begun
        return task
    }

    private func parentLink(sender: SessionID) -> ParentLink {
        if hasTicket, let id = ticket.taskID(sender: sender) { return .ticket(id) }
        if hasParent, let id = parent.taskID(sender: sender) { return .task(id) }
        return .none
    }
}

extension TaskStyle {
    package var wire: WireStyle {
        switch self {
        case .bar: .bar
        case .spinner: .spinner
        }
    }
}

extension WireStyle {
    /// A style of a newer version is drawn as a bar.
    package var taskStyle: TaskStyle {
        switch self {
        case .bar, .UNRECOGNIZED: .bar
        case .spinner: .spinner
        }
    }
}
