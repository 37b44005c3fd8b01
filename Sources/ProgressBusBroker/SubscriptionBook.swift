import BusProtocol
import TaskTree
import ZeroMQ

/// Knows which connection has subscribed to what, and bounds how much.
///
/// So no connection can end another's subscription, have one counted twice, or fill the memory.
///
/// libzmq keeps subscriptions in a tree of its own, some 35 bytes for each byte of a topic, and
/// nothing bounds it. `XPUB_MANUAL` would not either: 4.3.4 keeps a second tree of what peers ask
/// for. So the broker cuts off a connection with too many, and libzmq then forgets all of them.
struct SubscriptionBook {
    /// What the loop is to do about a subscription or its end.
    enum Verdict: Equatable {
        /// It counts.
        case counts
        /// It is a repetition, or the end of a subscription that never began.
        case isNothing
        /// It counts, and this connection is to be cut off: there is too much.
        case isTooMuch(PeerConnection)
    }

    /// Bytes of the topics of all connections, summed up.
    ///
    /// They make some 300 MB of libzmq's tree if all topics differ, and are enough for ten thousand
    /// dashboards.
    static let byteLimit = 8 << 20
    /// Seconds between libzmq's word that a connection has gone and the look which one it was.
    private static let patience = 1.0

    private struct Holder {
        var connection: PeerConnection
        /// The key that it was made with, where there are keys.
        var key: BusKey?
        var topics: Set<[UInt8]> = []
        /// Its bytes in the total; 0 once it is cut off.
        var bytes = 0
        /// Whether it was cut off: then none of its topics counts.
        var isCut = false
        /// Whether one look has found it closed; what it sent before may still be on its way.
        var isClosed = false

        var owner: ShareOwner {
            if let pid = PeerConnection.pid(at: connection.address) { return .process(pid) }
            return key.map { .member($0.text) } ?? .others
        }
    }

    private let limit: Int
    private let topicLimit: Int
    private let byteLimit: Int
    private var holders: [Int32: Holder] = [:]
    private var bytes = 0
    /// How many connections have subscribed to each topic.
    private var subscribers: [[UInt8]: Int] = [:]
    private var sweepAt: Moment?

    /// Bounds the topics of one connection, and of all together the different topics and the bytes.
    init(limit: Int, topicLimit: Int = 10_000, byteLimit: Int = Self.byteLimit) {
        self.limit = limit
        self.topicLimit = topicLimit
        self.byteLimit = byteLimit
    }

    /// How many connections have subscribed to something.
    var count: Int { holders.count }

    /// Counts a subscription or its end; without a connection libzmq says that one has gone.
    mutating func changed(
        _ topic: [UInt8],
        subscribed: Bool,
        by connection: PeerConnection?,
        key: BusKey? = nil,
        now: Moment
    ) -> Verdict {
        guard let connection else {
            if sweepAt == nil { sweepAt = now.advanced(bySeconds: Self.patience) }
            return .counts
        }
        let descriptor = connection.descriptor
        let isOther =
            connection.number != nil && holders[descriptor]?.connection.number != connection.number
        if isOther { forget(descriptor) }
        guard subscribed else {
            guard holders[descriptor]?.topics.remove(topic) != nil else { return .isNothing }
            if holders[descriptor]?.isCut == false { count(topic, -1, at: descriptor) }
            if holders[descriptor]?.topics.isEmpty == true { forget(descriptor) }
            return .counts
        }
        guard
            holders[descriptor, default: Holder(connection: connection, key: key)]
                .topics.insert(topic)
                .inserted
        else { return .isNothing }
        guard let holder = holders[descriptor], !holder.isCut else { return .counts }
        count(topic, 1, at: descriptor)
        if holder.topics.count > limit { return cut(descriptor) }
        guard bytes > byteLimit || subscribers.count > topicLimit else { return .counts }
        return cut(greediest ?? descriptor)
    }

    /// The connection with most bytes, of the process or member with most; not simply the last one.
    private var greediest: Int32? {
        let byOwner = Dictionary(grouping: holders) { $0.value.owner }
        let most = byOwner.values.max { one, other in
            one.reduce(0) { $0 + $1.value.bytes } < other.reduce(0) { $0 + $1.value.bytes }
        }
        return most?.max { $0.value.bytes < $1.value.bytes }?.key
    }

    /// The connections that were made with one of these keys.
    func connections(of keys: Set<BusKey>) -> [PeerConnection] {
        holders.values.filter { $0.key.map(keys.contains) ?? false }.map(\.connection)
    }

    /// Forgets closed connections; cheap if none has closed.
    mutating func sweep(now: Moment, isOpen: (PeerConnection) -> Bool = \.isOpen) {
        guard let sweepAt, now >= sweepAt else { return }
        var isMore = false
        for (descriptor, holder) in holders where !isOpen(holder.connection) {
            if holder.isClosed {
                forget(descriptor)
            } else {
                holders[descriptor]?.isClosed = true
                isMore = true
            }
        }
        self.sweepAt = isMore ? now.advanced(bySeconds: Self.patience) : nil
    }

    private mutating func cut(_ descriptor: Int32) -> Verdict {
        guard let holder = holders[descriptor] else { return .counts }
        for topic in holder.topics { count(topic, -1, at: descriptor) }
        holders[descriptor]?.isCut = true
        return .isTooMuch(holder.connection)
    }

    private mutating func count(_ topic: [UInt8], _ change: Int, at descriptor: Int32) {
        holders[descriptor]?.bytes += change * topic.count
        bytes += change * topic.count
        let left = subscribers[topic, default: 0] + change
        subscribers[topic] = left > 0 ? left : nil
    }

    private mutating func forget(_ descriptor: Int32) {
        if holders[descriptor]?.isCut == false { _ = cut(descriptor) }
        holders[descriptor] = nil
    }
}
