import TaskTree
import Testing

@testable import BusProtocol

@Suite("Hello and heartbeats")
struct BrokerConversationTests {
    private static let start = Moment(nanoseconds: 1_000_000_000_000)

    private static func moment(_ seconds: Double) -> Moment { start.advanced(bySeconds: seconds) }

    private static func welcome(heartbeat: UInt32) -> WireWelcome {
        var welcome = WireWelcome()
        welcome.heartbeat = heartbeat
        return welcome
    }

    /// The times in seconds at which something is sent until `end`, if the socket takes it or not.
    private func sent(
        by conversation: inout BrokerConversation,
        until end: Double,
        isTaken: Bool
    ) -> [Double] {
        var times: [Double] = []
        while let due = conversation.due, due <= Self.moment(end), times.count < 10_000 {
            times.append(due.seconds(since: Self.start))
            if isTaken { conversation.sent(at: due) } else { conversation.notSent(at: due) }
        }
        return times
    }

    @Test("Nothing is due before the beginning, and nothing after the end")
    func nothing() {
        var conversation = BrokerConversation()
        #expect(conversation.due == nil)
        conversation.greet(at: Self.start)
        #expect(conversation.isDue(at: Self.start))
        conversation.stop()
        #expect(conversation.due == nil)
    }

    @Test("Hello that was sent is repeated after 0.5 s; one that was not, at growing pauses")
    func hello() {
        var conversation = BrokerConversation()
        conversation.greet(at: Self.start)
        #expect(sent(by: &conversation, until: 1.25, isTaken: true) == [0, 0.5, 1])
        #expect(conversation.stage == .greeting)

        conversation = BrokerConversation()
        conversation.greet(at: Self.start)
        #expect(sent(by: &conversation, until: 0.01, isTaken: false).count == 4)
        #expect(!conversation.isHopeless)
        let later = sent(by: &conversation, until: 10, isTaken: false)
        #expect(conversation.isHopeless)
        #expect(48...53 ~= later.count, "5 times a second from then on: \(later.count)")
    }

    @Test(
        "Heartbeats come a tenth early, however odd the broker's wish",
        arguments: [(1_000, 0.9), (0, 0.9), (1, 0.045), (4_000_000_000, 54)]
    )
    func heartbeats(milliseconds: UInt32, seconds: Double) {
        var conversation = BrokerConversation()
        conversation.greet(at: Self.start)
        conversation.sent(at: Self.start)
        conversation.welcomed(Self.welcome(heartbeat: milliseconds), at: Self.start)
        let times = sent(by: &conversation, until: seconds * 3.5, isTaken: true)
        #expect(times.count == 3)
        #expect(times.first.map { abs($0 - seconds) < 0.001 } == true, "\(times)")
    }

    @Test("A heartbeat that could not be sent is tried again soon")
    func heartbeatNotSent() {
        var conversation = BrokerConversation()
        conversation.welcomed(Self.welcome(heartbeat: 1_000), at: Self.start)
        let times = sent(by: &conversation, until: 1.15, isTaken: false)
        #expect(times.count == 3, "\(times)")
        #expect(conversation.isWelcomed)
    }

    @Test("However often hello is made due, ten a second are said at most")
    func helloGap() {
        var conversation = BrokerConversation()
        var hellos = 0
        for millisecond in 0..<1_000 {
            let now = Self.moment(Double(millisecond) / 1_000)
            conversation.greet(at: now)
            if conversation.isDue(at: now) {
                conversation.sent(at: now)
                hellos += 1
            }
        }
        #expect(hellos == 10)
    }

    @Test("Hello under way goes on when the broker asks who this is")
    func askedWhileGreeting() {
        var conversation = BrokerConversation()
        conversation.greet(at: Self.start)
        conversation.sent(at: Self.start)
        conversation.asked(at: Self.moment(0.3))
        #expect(conversation.due == Self.moment(0.5))
    }

    @Test("A broker that has refused hello hears it again after three seconds")
    func busy() {
        var conversation = BrokerConversation()
        conversation.greet(at: Self.start)
        conversation.sent(at: Self.start)
        conversation.putOff(at: Self.moment(0.5))
        #expect(conversation.due == Self.moment(3.5))
        #expect(conversation.stage == .apart)
    }
}
