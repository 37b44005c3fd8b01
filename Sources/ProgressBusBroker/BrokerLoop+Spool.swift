import BrokerCore
import BusProtocol
import TaskTree
import ZeroMQ

/// Takes in what the spool says of tasks that ended while there was no broker.
extension BrokerLoop {
    /// Entries and seconds that one turn spends on the spool: a full one must not hold up clients.
    private static let spoolEntriesPerTurn = 16
    private static let spoolSecondsPerTurn = 0.02

    /// Takes in a portion of the spool if it is time; returns whether there is more.
    mutating func takeSpool() throws(ZeroMQError) -> Bool {
        let began = Clocks.now
        guard spool?.isReady(at: began) == true else { return false }
        for _ in 0..<Self.spoolEntriesPerTurn {
            guard let look = spool?.next(at: Clocks.now) else { return false }
            if case .file(let number, let file) = look {
                try perform(machine.collect(file, number: number, now: Clocks.now))
            }
            if Clocks.now.seconds(since: began) > Self.spoolSecondsPerTurn { break }
        }
        return spool?.isBusy == true
    }
}
