import TaskTree
import Testing
import ZeroMQ

@testable import ProgressBusBroker

@Suite("Who has subscribed to what")
struct SubscriptionBookTests {
    private let begin = Moment(nanoseconds: 0)

    private func connection(
        _ descriptor: Int32,
        _ number: UInt64? = 1,
        process: Int32 = 7
    ) -> PeerConnection {
        PeerConnection(descriptor: descriptor, address: "localhost:0:0:\(process)", number: number)
    }

    private func topic(_ number: Int, size: Int = 8) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) }
    }

    private func subscribe(
        _ book: inout SubscriptionBook,
        _ topic: [UInt8],
        _ connection: PeerConnection?
    ) -> SubscriptionBook.Verdict {
        book.changed(topic, subscribed: true, by: connection, now: begin)
    }

    private func end(
        _ book: inout SubscriptionBook,
        _ topic: [UInt8],
        _ connection: PeerConnection?
    ) -> SubscriptionBook.Verdict {
        book.changed(topic, subscribed: false, by: connection, now: begin)
    }

    @Test("an end of what another has subscribed to: nothing")
    func foreignEnd() {
        var book = SubscriptionBook(limit: 10)
        #expect(subscribe(&book, topic(1), connection(5)) == .counts)
        #expect(end(&book, topic(1), connection(6)) == .isNothing)
        #expect(end(&book, topic(1), connection(5)) == .counts)
        #expect(end(&book, topic(1), connection(5)) == .isNothing)
        #expect(book.count == 0)
    }

    @Test("the same topic twice by one connection: counts once, and ends once")
    func repetition() {
        var book = SubscriptionBook(limit: 10)
        #expect(subscribe(&book, topic(1), connection(5)) == .counts)
        #expect(subscribe(&book, topic(1), connection(5)) == .isNothing)
        #expect(subscribe(&book, topic(1), connection(6)) == .counts)
    }

    @Test("one topic more than a connection may have: it is cut off, once, and others are not")
    func tooMany() {
        var book = SubscriptionBook(limit: 3)
        for number in 0..<3 {
            #expect(subscribe(&book, topic(number), connection(5)) == .counts)
            #expect(subscribe(&book, topic(number), connection(6)) == .counts)
        }
        #expect(subscribe(&book, topic(3), connection(5)) == .isTooMuch(connection(5)))
        #expect(subscribe(&book, topic(4), connection(5)) == .counts, "it is on its way out")
        #expect(subscribe(&book, topic(0), connection(7)) == .counts)
    }

    @Test("more bytes than all may have: whoever has most is cut off, and room is there again")
    func tooMuch() {
        var book = SubscriptionBook(limit: 100, byteLimit: 1_000)
        for number in 0..<9 {
            #expect(subscribe(&book, topic(number, size: 100), connection(5)) == .counts)
        }
        #expect(subscribe(&book, topic(1, size: 100), connection(6)) == .counts)
        #expect(subscribe(&book, topic(2, size: 8), connection(6)) == .isTooMuch(connection(5)))
        for number in 10..<18 {
            #expect(subscribe(&book, topic(number, size: 100), connection(7)) == .counts)
        }
    }

    @Test("more topics than all may have: the process with most loses one connection, not others")
    func tooManyTopics() {
        var book = SubscriptionBook(limit: 100, topicLimit: 50)
        let honest = connection(1, process: 8)
        for number in 0..<12 { #expect(subscribe(&book, topic(number), honest) == .counts) }
        // Each connection of the greedy process has fewer topics than the honest one.
        var cut: Set<Int32> = []
        for number in 100..<300 {
            let greedy = connection(Int32(number / 10))
            guard !cut.contains(greedy.descriptor) else { continue }
            switch subscribe(&book, topic(number), greedy) {
            case .isTooMuch(let connection): cut.insert(connection.descriptor)
            case .counts, .isNothing: break
            }
        }
        #expect(cut.count >= 10 && !cut.contains(1))
        for number in 0..<12 {
            #expect(subscribe(&book, topic(number), connection(2, process: 9)) == .counts)
        }
        #expect(end(&book, topic(3), honest) == .counts)
    }

    @Test("a descriptor that another connection has now: what the former had does not count")
    func descriptorAgain() {
        var book = SubscriptionBook(limit: 2)
        for number in UInt64(1)...50 {
            #expect(subscribe(&book, topic(1), connection(5, number)) == .counts)
            #expect(subscribe(&book, topic(2), connection(5, number)) == .counts)
        }
        #expect(book.count == 1)
    }

    @Test("connections that were closed before anybody looked: ends of theirs count as well")
    func closedEarly() {
        var book = SubscriptionBook(limit: 10)
        #expect(subscribe(&book, topic(1), connection(5, nil)) == .counts)
        #expect(subscribe(&book, topic(1), connection(5, nil)) == .isNothing)
        #expect(end(&book, topic(1), connection(5, nil)) == .counts)
        #expect(book.count == 0)
    }

    @Test("a thousand connections that have gone: forgotten within two looks, the others kept")
    func gone() {
        var book = SubscriptionBook(limit: 10)
        for number in Int32(1)...1_000 {
            _ = subscribe(&book, topic(Int(number)), connection(number))
        }
        book.sweep(now: begin.advanced(bySeconds: 5)) { _ in false }
        #expect(book.count == 1_000, "nobody has said that one has gone")
        #expect(end(&book, topic(1), nil) == .counts)
        book.sweep(now: begin) { _ in false }
        book.sweep(now: begin.advanced(bySeconds: 1)) { $0.descriptor == 7 }
        #expect(book.count == 1_000, "what they have sent may be on its way")
        book.sweep(now: begin.advanced(bySeconds: 2)) { $0.descriptor == 7 }
        #expect(book.count == 1)
        #expect(end(&book, topic(7), connection(7)) == .counts)
    }
}
