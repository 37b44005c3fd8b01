import BusProtocol
import TaskTree

/// Commands that wait for answers, and the deliveries that are still to be answered.
///
/// A delivery is remembered for as long as its command waits for the session it went to.
struct CommandBook {
    private var commands: [UInt64: PendingCommand] = [:]
    /// The command that each delivery is of, the session it is for, and whether that is still to be
    /// welcomed before it goes there.
    private var deliveries: [UInt64: (command: UInt64, session: SessionID, isHeld: Bool)] = [:]
    private var deliveriesTo: [SessionID: Set<UInt64>] = [:]
    /// How many of each process or member wait.
    private(set) var room = SharedRoom()
    private var lastNumber: UInt64 = 0
    /// Whose sessions are still being looked for, in the order in which that goes on.
    var gatherings: [Gathering] = []
    /// Tasks below which all is to be asked to stop.
    var halts: [(target: TaskID, walk: TopmostWalk)] = []
    /// How much each session has asked for in the current second.
    var allowance = RequestAllowance()
    /// Tasks to be asked to stop because of one above them, when this turn is over or their
    /// session is there.
    var stopping: [SessionID: [UInt64]] = [:]

    /// How many commands wait for answers.
    var count: Int { commands.count }

    /// How many deliveries are remembered.
    var deliveryCount: Int { deliveries.count }

    /// A number for a delivery that nobody waits for.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Takes a command on; returns its number.
    mutating func begin(_ command: PendingCommand) -> UInt64 {
        let number = nextNumber()
        commands[number] = command
        room.add(1, of: command.asker)
        return number
    }

    /// A command waits for these sessions from now on; returns it, if it waits for anything at all.
    mutating func wait(for sessions: [SessionID], _ number: UInt64) -> PendingCommand? {
        commands[number]?.waiting = Dictionary(uniqueKeysWithValues: sessions.map { ($0, 0) })
        commands[number]?.asked = UInt32(clamping: sessions.count)
        return commands[number]
    }

    /// A command is over that waits for nobody; returns it, if it was not over before.
    mutating func end(_ number: UInt64) -> PendingCommand? {
        guard let command = commands[number], command.waiting.isEmpty else { return nil }
        forget(number, of: command.asker)
        return command
    }

    /// A session is asked for its answer to a command; returns the number of the delivery.
    ///
    /// One that `isHeld` is to go out when `takeHeld` returns it.
    mutating func deliver(
        _ command: UInt64,
        to session: SessionID,
        isHeld: Bool = false
    ) -> UInt64 {
        let number = nextNumber()
        guard commands[command]?.waiting.updateValue(number, forKey: session) != nil else {
            return number
        }
        deliveries[number] = (command, session, isHeld)
        deliveriesTo[session, default: []].insert(number)
        return number
    }

    /// What a session is to be asked, now that it is there.
    struct HeldDelivery {
        let session: SessionID
        let delivery: UInt64
        /// The command, by its number.
        let number: UInt64
        let verb: WireVerb
        let target: TaskID
    }

    /// A delivery waits again until `takeHeld` returns it.
    mutating func hold(_ delivery: UInt64) { deliveries[delivery]?.isHeld = true }

    /// The deliveries that were held back from a session, in the order of the commands; those are
    /// asked of it now.
    mutating func takeHeld(for session: SessionID) -> [HeldDelivery] {
        guard let numbers = deliveriesTo[session] else { return [] }
        return numbers.sorted().compactMap { number in
            guard let delivery = deliveries[number], delivery.isHeld,
                let command = commands[delivery.command]
            else { return nil }
            deliveries[number]?.isHeld = false
            return HeldDelivery(
                session: session,
                delivery: number,
                number: delivery.command,
                verb: command.verb,
                target: command.target
            )
        }
    }

    /// The command that a session answers by this delivery; `nil` if it does not wait for that.
    func command(ofDelivery number: UInt64, to session: SessionID) -> UInt64? {
        guard let delivery = deliveries[number], delivery.session == session else { return nil }
        return delivery.command
    }

    /// The commands that wait for a session, in the order in which it was asked.
    func commands(waitingFor session: SessionID) -> [UInt64] {
        (deliveriesTo[session] ?? []).sorted().compactMap { deliveries[$0]?.command }
    }

    /// What a command asks.
    func verb(of number: UInt64) -> WireVerb? { commands[number]?.verb }

    /// The sessions that a command waits for.
    func sessionsAwaited(by number: UInt64) -> [SessionID] {
        (commands[number]?.waiting.keys).map { $0.sorted() } ?? []
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
        guard let delivery = commands[number]?.waiting.removeValue(forKey: session) else {
            return nil
        }
        forget(delivery, to: session)
        if isAccepted { commands[number]?.wasAccepted = true }
        guard let command = commands[number] else { return nil }
        if command.waiting.isEmpty { forget(number, of: command.asker) }
        return command
    }

    private mutating func forget(_ number: UInt64, of asker: ShareOwner) {
        commands[number] = nil
        room.add(-1, of: asker)
    }

    private mutating func forget(_ delivery: UInt64, to session: SessionID) {
        guard deliveries.removeValue(forKey: delivery) != nil else { return }
        deliveriesTo[session]?.remove(delivery)
        if deliveriesTo[session]?.isEmpty == true { deliveriesTo[session] = nil }
    }
}
