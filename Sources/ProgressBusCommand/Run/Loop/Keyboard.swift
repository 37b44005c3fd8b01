import ProcessControl

/// Our own terminal while a command has one of its own: what is typed is passed on to it.
struct Keyboard {
    private(set) var terminal = OwnTerminal()
    let command: PseudoTerminal
    private let typed: OutputMerger

    init(for command: PseudoTerminal) {
        self.command = command
        typed = OutputMerger(to: OutputSink(command.descriptor, isOwn: true), keepsLines: false)
    }

    /// For poll(2): what is typed, and the room for it.
    var pollItems: [pollfd] {
        let isWanted = terminal.isTaken && typed.accepts(0)
        return [
            pollfd(fd: isWanted ? terminal.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: terminal.isTaken && typed.isOpen ? typed.sink.descriptor : -1,
                events: typed.wantsToWrite ? Int16(POLLOUT) : 0,
                revents: 0
            ),
        ]
    }

    /// Takes the terminal if it is ours to take.
    mutating func takeIfForeground() {
        guard !terminal.isTaken, terminal.isForeground else { return }
        // In the background it had settings that a shell's prompt needs.
        if !terminal.wasTaken { command.takeSettings(of: STDIN_FILENO) }
        terminal.takeIfForeground()
    }

    mutating func giveBack() {
        terminal.giveBack()
    }

    /// Gives the terminal back for good.
    mutating func close() {
        terminal.giveBack()
        terminal.closeOwn()
    }

    /// Passes on what was typed.
    ///
    /// - Parameters:
    ///   - reading: What poll(2) says of the terminal.
    ///   - writing: What it says of the room.
    ///   - buffer: Where it is read to.
    /// - Returns: The signals that the command's terminal makes of it.
    mutating func pass(
        reading: Int16,
        writing: Int16,
        through buffer: UnsafeMutableRawBufferPointer
    ) -> [Int32] {
        if writing & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { typed.close() }
        typed.write()
        guard reading != 0, typed.accepts(0) else { return [] }
        guard terminal.isForeground else {
            // Another job of the shell has it now, and what is typed is for that.
            terminal.lose()
            return []
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(4_096))
        let count = readDescriptor(terminal.descriptor, into: room)
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        guard count > 0 else {
            typed.close()
            return []
        }
        let keys = command.signalKeys
        let signals = buffer[..<count].compactMap { keys[$0] }
        typed.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: 0)
        return signals
    }
}
