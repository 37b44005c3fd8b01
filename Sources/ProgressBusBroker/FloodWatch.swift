import ZeroMQ

/// Finds connections that flood the updates socket with subscriptions.
///
/// While subscriptions keep coming, libzmq puts them into its tree within one call of the loop's
/// thread. The loop sees none of them before that call returns, on a busy machine perhaps never. So
/// another thread watches these connections. Arrivals wake it, which is seldom: a viewer subscribes
/// now and then.
struct FloodWatch: ~Copyable {
    /// Milliseconds between looks while there is something to look at.
    static let pause = 50
    /// A connection floods if it has unread bytes at so many looks in a row.
    ///
    /// libzmq reads 8 KiB ahead, some 300 topics.
    static let patience = 8
    /// Seconds of the broker's processor time that must pass besides.
    ///
    /// On a busy machine the broker may just have had no turn to read.
    static let workPatience = 0.2

    private struct Suspect {
        let connection: PeerConnection
        var looks = 0
        /// The broker's processor time when it was first seen.
        let since: Double
    }

    private let arrivals = ArrivalWatch()
    private var suspects: [Int32: Suspect] = [:]

    /// Readable when `look()` has something to do; `nil` where arrivals cannot be watched.
    var pollItem: PollItem? { arrivals.pollItem }

    /// Whether to look again after `pause`, and not before: connections are suspected, or have just
    /// sent something.
    private(set) var isBusy = false

    func add(_ descriptor: Int32) {
        arrivals.add(descriptor)
    }

    /// Looks at the suspects; returns the connections that are to be cut off.
    mutating func look() -> [PeerConnection] {
        let arrived = arrivals.takeArrived().map { PeerConnection(descriptor: $0) }
        return look(arrived: arrived, worked: Clocks.processorSeconds) { $0.hasUnread }
    }

    mutating func look(
        arrived: [PeerConnection],
        worked seconds: Double,
        hasUnread: (PeerConnection) -> Bool
    ) -> [PeerConnection] {
        for connection in arrived where suspects[connection.descriptor]?.connection != connection {
            suspects[connection.descriptor] = Suspect(connection: connection, since: seconds)
        }
        var floods: [PeerConnection] = []
        for (descriptor, suspect) in suspects {
            if !hasUnread(suspect.connection) {
                suspects[descriptor] = nil
            } else if suspect.looks + 1 >= Self.patience,
                seconds - suspect.since >= Self.workPatience
            {
                suspects[descriptor] = nil
                floods.append(suspect.connection)
            } else {
                suspects[descriptor]?.looks += 1
            }
        }
        isBusy = !suspects.isEmpty || !arrived.isEmpty
        return floods
    }
}
