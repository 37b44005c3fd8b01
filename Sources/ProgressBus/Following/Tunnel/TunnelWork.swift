import CLibrary
import ProcessControl
import ZeroMQ

/// The one or two processes of ssh that a tunnel has; belongs to its thread.
struct TunnelWork: ~Copyable {
    private let arguments: TunnelArguments
    private var master: SSHProcess?
    private var forwarding: SSHProcess?

    init(_ arguments: TunnelArguments) {
        self.arguments = arguments
    }

    /// Starts the ssh that connects; returns its pid.
    mutating func connect(asksPerson: Bool) throws(StartError) -> Int32 {
        // One that was killed has left its socket, with which no other would be a master.
        unlink(arguments.masterPath)
        let process = try SSHProcess(arguments.connect(asksPerson: asksPerson))
        let pid = process.pid
        master = consume process
        return pid
    }

    /// Starts the ssh that forwards over the connection of the first.
    mutating func forward(from directory: String) throws(StartError) {
        forwarding = try SSHProcess(arguments.forward(from: directory))
    }

    /// Waits for the ends of both, which were told to end or have nothing left to do.
    mutating func end() {
        if let process = master.take() { _ = process.end() }
        if let process = forwarding.take() { _ = process.end() }
    }

    /// What to wait for; mutating, as Swift does not yet look into what it cannot copy.
    mutating func pollItems() -> [PollItem] {
        (master?.pollItems ?? []) + (forwarding?.pollItems ?? [])
    }

    /// What both have said, and whether one has ended; `willEnd` is told before the pid of the one
    /// that connects is given back.
    mutating func read(willEnd: (Int32) -> Void) -> [TunnelMachine.Event] {
        var events: [TunnelMachine.Event] = []
        events += (master?.complaints.readLines() ?? []).map { .complaint($0) }
        events += (forwarding?.complaints.readLines() ?? []).map { .complaint($0) }
        events += (master?.output.readLines() ?? []).map { .line($0) }
        _ = forwarding?.output.readLines()
        if master?.output.isAtEnd == true, let process = master.take() {
            willEnd(process.pid)
            _ = process.end()
            events.append(.ended)
        }
        if forwarding?.output.isAtEnd == true, let process = forwarding.take() {
            events.append(.forwarded(isDone: process.end()))
        }
        return events
    }
}

extension SSHProcess {
    /// Nothing of what is at its end, which would be readable for ever.
    fileprivate var pollItems: [PollItem] {
        var items: [PollItem] = []
        if !output.isAtEnd { items.append(.descriptor(output.descriptor.number)) }
        if !complaints.isAtEnd { items.append(.descriptor(complaints.descriptor.number)) }
        return items
    }
}
