import BusProtocol
import TaskTree

/// Commands that wait for answers, and the deliveries that are still to be answered.
///
/// A delivery asks one session to carry out a command for some of its tasks; very many tasks take
/// several deliveries. The session has accepted the command once it has accepted one of them. A
/// delivery is remembered while its command waits for the session.
struct CommandBook {
    private var commands: [UInt64: PendingCommand] = [:]
    /// The command of each delivery to a session; `isHeld` until the session is welcomed.
    private var deliveries: [SessionID: [UInt64: (command: UInt64, isHeld: Bool)]] = [:]
    /// How many waiting commands each owner has.
    private(set) var room = SharedRoom()
    private var lastNumber: UInt64 = 0
    var allowance = RequestAllowance()
    /// By session, the indices of tasks to ask to stop because a task above them stops; sent at the
    /// end of the turn, or once the session is welcomed.
    var stopping: [SessionID: [UInt64]] = [:]

    /// How many commands wait for answers.
    var count: Int { commands.count }

    /// How many deliveries are remembered.
    var deliveryCount: Int { deliveries.values.reduce(0) { $0 + $1.count } }

    /// Takes the next numbers of commands and deliveries.
    mutating func nextNumbers(_ count: Int = 1) -> Range<UInt64> {
        let first = lastNumber + 1
        lastNumber += UInt64(count)
        return first..<lastNumber + 1
    }

    /// Adds a command that waits for some sessions; returns its number.
    mutating func begin(_ command: PendingCommand) -> UInt64 {
        let number = nextNumbers().lowerBound
        commands[number] = command
        room.add(1, of: command.asker)
        return number
    }

    /// Adds the deliveries of a command to a session; returns their numbers.
    ///
    /// If `isHeld`, the session is asked only when `takeHeld` returns the command.
    mutating func deliver(
        _ command: UInt64,
        to session: SessionID,
        parts: Int = 1,
        isHeld: Bool = false
    ) -> Range<UInt64> {
        let numbers = nextNumbers(parts)
        guard commands[command]?.waiting.updateValue(numbers, forKey: session) != nil else {
            return numbers
        }
        for number in numbers { deliveries[session, default: [:]][number] = (command, isHeld) }
        return numbers
    }

    /// Takes the commands that were held back from a session, in their order, to ask it now.
    mutating func takeHeld(for session: SessionID) -> [(number: UInt64, command: PendingCommand)] {
        inOrder(session).filter(\.value.isHeld).compactMap { number, delivery in
            forget(number, to: session)
            return commands[delivery.command].map { (delivery.command, $0) }
        }
    }

    private func inOrder(
        _ session: SessionID
    ) -> [(key: UInt64, value: (command: UInt64, isHeld: Bool))] {
        (deliveries[session] ?? [:]).sorted { $0.key < $1.key }
    }

    /// The command of a delivery to a session; `nil` if no answer to the delivery is awaited.
    func command(ofDelivery number: UInt64, to session: SessionID) -> UInt64? {
        deliveries[session]?[number]?.command
    }

    /// The commands that wait for a session, in the order in which it was asked.
    func commands(waitingFor session: SessionID) -> [UInt64] {
        inOrder(session).map(\.value.command)
    }

    /// The verb of a command.
    func verb(of number: UInt64) -> WireVerb? { commands[number]?.verb }

    /// The sessions that a command waits for.
    func sessionsAwaited(by number: UInt64) -> [SessionID] {
        (commands[number]?.waiting.keys).map { $0.sorted() } ?? []
    }

    /// Forgets a delivery that a session did not accept, if others of its command await the
    /// session's answer; returns whether they do.
    mutating func awaitsMore(than delivery: UInt64, from session: SessionID) -> Bool {
        guard let number = command(ofDelivery: delivery, to: session),
            let deliveries = commands[number]?.waiting[session],
            deliveries.contains(where: {
                $0 != delivery && command(ofDelivery: $0, to: session) != nil
            })
        else { return false }
        forget(delivery, to: session)
        return true
    }

    /// Ends a command's wait for one session; returns the command as it is then.
    ///
    /// The command is over if it waits for no other session. Returns `nil` if it did not wait for
    /// this one.
    mutating func answered(
        _ number: UInt64,
        by session: SessionID,
        isAccepted: Bool
    ) -> PendingCommand? {
        // In place: a copy of `waiting` for each of many answers would take noticeable time.
        guard let numbers = commands[number]?.waiting.removeValue(forKey: session) else {
            return nil
        }
        for delivery in numbers { forget(delivery, to: session) }
        if isAccepted { commands[number]?.wasAccepted = true }
        guard let command = commands[number] else { return nil }
        if command.waiting.isEmpty {
            commands[number] = nil
            room.add(-1, of: command.asker)
        }
        return command
    }

    private mutating func forget(_ delivery: UInt64, to session: SessionID) {
        deliveries[session]?[delivery] = nil
        if deliveries[session]?.isEmpty == true { deliveries[session] = nil }
    }
}

/// A command that still waits for answers.
struct PendingCommand {
    let request: UInt64
    /// The owner whose share of the commands this one takes, and where answers go.
    let asker: ShareOwner
    let route: Route
    let verb: WireVerb
    let target: TaskID
    /// The sessions that the command waits for, each with the numbers of its deliveries so far.
    var waiting: [SessionID: Range<UInt64>]
    let asked: UInt32
    var wasAccepted = false
}
