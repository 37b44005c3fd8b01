import ZeroMQ

/// Finds connections to the updates socket that do not stop talking.
///
/// libzmq puts subscriptions into its tree for as long as more come, within one call of the loop's
/// thread, which sees none of them before: where the machine is busy that may be for ever. So another
/// thread looks, and an arrival is what wakes it: a viewer subscribes now and then.
struct FloodWatch: ~Copyable {
    /// Milliseconds between looks while there is something to look at.
    static let pause = 50
    /// A connection with unread bytes at so many looks in a row floods: libzmq reads 8 KiB ahead, some
    /// 300 topics.
    static let patience = 8
    /// And so many seconds of the broker's processor time: where the machine is busy, it may just not
    /// have had its turn to read them.
    static let workPatience = 0.2

    private struct Suspect {
        let connection: PeerConnection
        var looks = 0
        /// The broker's processor time when it was first seen.
        let since: Double
    }

    private let arrivals = ArrivalWatch()
    private var suspects: [Int32: Suspect] = [:]

    /// What wakes whoever is to look; `nil` where nothing does.
    var pollItem: PollItem? { arrivals.pollItem }

    /// Whether to look again after a pause, and not before.
    private(set) var isBusy = false

    func add(_ descriptor: Int32) {
        arrivals.add(descriptor)
    }

    /// Those that are to be cut off.
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
