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

    private let arrivals = ArrivalWatch()
    private var suspects: [Int32: (connection: PeerConnection, looks: Int)] = [:]

    /// What wakes whoever is to look; `nil` where nothing does.
    var pollItem: PollItem? { arrivals.pollItem }

    /// Whether to look again after a pause, and not before.
    private(set) var isBusy = false

    func add(_ descriptor: Int32) {
        arrivals.add(descriptor)
    }

    /// Those that are to be cut off.
    mutating func look() -> [PeerConnection] {
        look(arrived: arrivals.takeArrived().map { PeerConnection(descriptor: $0) }) {
            $0.hasUnread
        }
    }

    mutating func look(
        arrived: [PeerConnection],
        hasUnread: (PeerConnection) -> Bool
    ) -> [PeerConnection] {
        for connection in arrived where suspects[connection.descriptor]?.connection != connection {
            suspects[connection.descriptor] = (connection, 0)
        }
        var floods: [PeerConnection] = []
        for (descriptor, suspect) in suspects {
            if !hasUnread(suspect.connection) {
                suspects[descriptor] = nil
            } else if suspect.looks + 1 >= Self.patience {
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
