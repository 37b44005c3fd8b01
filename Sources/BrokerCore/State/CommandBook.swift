import BusProtocol
import TaskTree

/// Commands that wait for answers, and the deliveries that are still to be answered.
///
/// A delivery is remembered for as long as its command waits for the session it went to. Very many
/// tasks of a session are asked in several deliveries; the session has accepted as soon as it has
/// accepted one of them.
struct CommandBook {
    private var commands: [UInt64: PendingCommand] = [:]
    /// The command of each delivery to a session, and whether that is still to be welcomed before it
    /// goes there.
    private var deliveries: [SessionID: [UInt64: (command: UInt64, isHeld: Bool)]] = [:]
    /// How many of each process or member wait.
    private(set) var room = SharedRoom()
    private var lastNumber: UInt64 = 0
    var allowance = RequestAllowance()
    /// Tasks to be asked to stop because of one above them, when this turn is over or their
    /// session is there.
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

    /// Takes a command on that waits for some sessions; returns its number.
    mutating func begin(_ command: PendingCommand) -> UInt64 {
        let number = nextNumbers().lowerBound
        commands[number] = command
        room.add(1, of: command.asker)
        return number
    }

    /// A session is asked for its answer to a command; returns the numbers of the deliveries.
    ///
    /// One that `isHeld` is to be asked when `takeHeld` returns its command.
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

    /// The commands that were held back from a session, in their order: it is asked now.
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

    /// The command that a session answers by this delivery; `nil` if it does not wait for that.
    func command(ofDelivery number: UInt64, to session: SessionID) -> UInt64? {
        deliveries[session]?[number]?.command
    }

    /// The commands that wait for a session, in the order in which it was asked.
    func commands(waitingFor session: SessionID) -> [UInt64] {
        inOrder(session).map(\.value.command)
    }

    /// What a command asks.
    func verb(of number: UInt64) -> WireVerb? { commands[number]?.verb }

    /// The sessions that a command waits for.
    func sessionsAwaited(by number: UInt64) -> [SessionID] {
        (commands[number]?.waiting.keys).map { $0.sorted() } ?? []
    }

    /// A session has not accepted what one delivery asks; whether its answer to another is awaited.
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

    /// A session has answered, or will not: returns the command as it is then.
    ///
    /// It is over if it waits for nobody; `nil` if it did not wait for this session.
    mutating func answered(
        _ number: UInt64,
        by session: SessionID,
        isAccepted: Bool
    ) -> PendingCommand? {
        // In place: a copy of who is waited for with each of many answers would be felt.
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

/// A command some of whose answers are still to come.
struct PendingCommand {
    let request: UInt64
    /// Whose share of the commands it counts for, and where answers go.
    let asker: ShareOwner
    let route: Route
    let verb: WireVerb
    let target: TaskID
    /// The sessions that it waits for, each with its deliveries; none before there are some.
    var waiting: [SessionID: Range<UInt64>]
    let asked: UInt32
    var wasAccepted = false
}
