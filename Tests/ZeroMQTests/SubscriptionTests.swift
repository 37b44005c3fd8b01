import Testing

@testable import ZeroMQ

@Suite struct SubscriptionTests {
    let directory: SocketDirectory
    let context: ZeroMQContext

    init() throws {
        directory = try SocketDirectory()
        context = try ZeroMQContext()
    }

    /// A bound subscriber, as the broker has for reports.
    func subscriber(to prefixes: [UInt8]...) throws -> ZeroMQSocket {
        let subscriber = try ZeroMQSocket(.sub, in: context)
        for prefix in prefixes {
            try subscriber.subscribe(prefix)
        }
        try subscriber.bind(directory.address("reports"))
        return subscriber
    }

    /// A connected publisher, as a worker has for reports.
    func publisher() throws -> ZeroMQSocket {
        let publisher = try ZeroMQSocket(.xpub, in: context)
        try publisher.set(.immediate, to: 1)
        try publisher.set(.noDrop, to: 1)
        try publisher.set(.reconnectInterval, to: 10)
        try publisher.connect(directory.address("reports"))
        return publisher
    }

    /// The publisher's next subscription, while the subscriber gets its turns to send it.
    ///
    /// A bound subscriber sends its subscriptions only within calls on it.
    func subscription(
        seenBy publisher: borrowing ZeroMQSocket,
        of subscriber: borrowing ZeroMQSocket
    ) throws -> [[UInt8]]? {
        for _ in 0..<patience {
            if let message = try publisher.receive() { return message }
            var items = [publisher.pollItem, subscriber.pollItem]
            _ = try poll(&items, timeout: 1)
        }
        return nil
    }

    @Test func `a publisher sees its subscriber come, go and come again`() throws {
        let publisher = try publisher()
        let first = try subscriber(to: [80, 66])
        #expect(try subscription(seenBy: publisher, of: first) == [[1, 80, 66]])
        #expect(try publisher.send([[80, 66, 1]]))
        #expect(try nextMessage(of: first) == [[80, 66, 1]])
        first.close()
        #expect(try nextMessage(of: publisher) == [[0, 80, 66]])
        // Sent to nobody: must not reach the next one.
        #expect(try publisher.send([[80, 66, 2]]))
        let second = try subscriber(to: [80, 66])
        #expect(try subscription(seenBy: publisher, of: second) == [[1, 80, 66]])
        #expect(try publisher.send([[80, 66, 3]]))
        #expect(try nextMessage(of: second) == [[80, 66, 3]])
    }

    @Test func `only what begins with a subscribed prefix arrives`() throws {
        let publisher = try publisher()
        let subscriber = try subscriber(to: [1, 47], [2])
        #expect(try subscription(seenBy: publisher, of: subscriber) != nil)
        #expect(try subscription(seenBy: publisher, of: subscriber) != nil)
        for topic: [UInt8] in [[1], [1, 48], [3], [1, 47, 5], [2]] {
            #expect(try publisher.send([topic, [0]]))
        }
        #expect(try nextMessage(of: subscriber) == [[1, 47, 5], [0]])
        #expect(try nextMessage(of: subscriber) == [[2], [0]])
        #expect(try subscriber.receive() == nil)
    }

    @Test func `an end of a subscription is seen and ends the flow`() throws {
        let publisher = try publisher()
        let subscriber = try subscriber(to: [1], [2])
        #expect(try subscription(seenBy: publisher, of: subscriber) != nil)
        #expect(try subscription(seenBy: publisher, of: subscriber) != nil)
        try subscriber.unsubscribe([1])
        #expect(try subscription(seenBy: publisher, of: subscriber) == [[0, 1]])
        #expect(try publisher.send([[1]]))
        #expect(try publisher.send([[2]]))
        #expect(try nextMessage(of: subscriber) == [[2]])
    }

    @Test func `a publisher refuses to send while its subscriber is full`() throws {
        let address = directory.address("reports")
        let subscriber = try ZeroMQSocket(.sub, in: context)
        try subscriber.set(.receiveHighWaterMark, to: 2)
        try subscriber.subscribe([])
        try subscriber.bind(address)
        let publisher = try ZeroMQSocket(.xpub, in: context)
        try publisher.set(.immediate, to: 1)
        try publisher.set(.noDrop, to: 1)
        try publisher.set(.sendHighWaterMark, to: 2)
        try publisher.connect(address)
        #expect(try subscription(seenBy: publisher, of: subscriber) == [[1]])
        // Larger than the kernel's buffer, so that the queues decide.
        let frame = [UInt8](repeating: 0, count: 1 << 20)
        var taken = 0
        while taken < 100, try publisher.send([frame]) {
            taken += 1
        }
        #expect(taken < 100)
        for _ in 0..<taken {
            #expect(try nextMessage(of: subscriber)?.first?.count == frame.count)
        }
        #expect(try sendSoon([[1]], through: publisher))
        #expect(try nextMessage(of: subscriber) == [[1]])
    }

    @Test func `with verboser every subscriber is counted`() throws {
        let publisher = try ZeroMQSocket(.xpub, in: context)
        try publisher.set(.verboser, to: 1)
        try publisher.bind(directory.address("updates"))
        for _ in 0..<2 {
            let viewer = try ZeroMQSocket(.sub, in: context)
            try viewer.connect(directory.address("updates"))
            try viewer.subscribe([7])
            #expect(try nextMessage(of: publisher) == [[1, 7]])
            let other = try ZeroMQSocket(.xsub, in: context)
            try other.connect(directory.address("updates"))
            #expect(try other.send([[1, 7]]))
            #expect(try nextMessage(of: publisher) == [[1, 7]])
            viewer.close()
            #expect(try nextMessage(of: publisher) == [[0, 7]])
            other.close()
            #expect(try nextMessage(of: publisher) == [[0, 7]])
        }
    }
}
