import BusProtocol
import TaskTree
import Testing

@Suite struct TopicTests {
    static let job = TaskID(index: 2, session: SessionID(rawValue: 0x0102_0304_0506_0708))

    static let topics: [Topic] = [
        .totals, .attention, .board(page: 0), .board(page: 12), .children(job, block: 0),
        .children(job, block: 3), .states(job, block: 1), .job(job), .log(job), .probe(.max),
    ]

    @Test(arguments: topics)
    func everyTopicIsReadBackFromItsName(topic: Topic) {
        #expect(Topic(name: topic.name) == topic)
        #expect(topic.name.hasSuffix("/"))
        #expect(topic.name.utf8.count <= ProtocolLimits.topicBytes)
    }

    @Test func noNameIsThePrefixOfAnother() {
        for one in Self.topics {
            for other in Self.topics where other != one {
                #expect(!other.name.hasPrefix(one.name))
            }
        }
    }

    @Test(arguments: [
        "", "/", "totals", "totals//", "board//", "board/-1/", "board/+1/", "board/01/",
        "board/99999999999/", "job/2/", "job/2-00000000000/", "children/2-0000000000001/",
        "children/2-0000000000001/x/", "log/2-0000000000001", "probe/-1/", "probe/01/", "unknown/",
        "TOTALS/", "board/0/0/",
    ])
    func otherNamesAreNoTopics(name: String) {
        #expect(Topic(name: name) == nil)
    }

    @Test func aNameBeyondTheLimitIsNoTopic() {
        #expect(Topic(name: "board/" + String(repeating: "1", count: 300) + "/") == nil)
    }
}
