import TaskTree
import Testing

/// A task has one name: what differs in its letters names nothing.
@Suite("Names of tasks and sessions")
struct TaskNameTests {
    @Test("What is written is read back", arguments: [1, 35, 36, 100, UInt64.max])
    func roundTrip(index: UInt64) {
        for session in [1, 0x0123_4567_89ab_cdef, UInt64.max].map(SessionID.init(rawValue:)) {
            let task = TaskID(index: index, session: session)
            #expect(TaskID(task.description) == task)
            #expect(SessionID(session.description) == session)
        }
    }

    @Test(
        "Any other spelling is refused",
        arguments: [
            "2S-028q5cu4qnjff", "2s-028Q5CU4QNJFF", "02s-028q5cu4qnjff", "+2s-028q5cu4qnjff",
            " 2s-028q5cu4qnjff", "2s-028q5cu4qnjff ", "2s-0028q5cu4qnjff", "2s-28q5cu4qnjff",
            "2s-+28q5cu4qnjff", "2s--28q5cu4qnjff", "-2s-028q5cu4qnjff", "0-028q5cu4qnjff",
            "2s-0000000000000", "2s-g28q5cu4qnjff", "zzzzzzzzzzzzz-028q5cu4qnjff", "-", "",
            "2s-028q5cu4qnjff-", "\u{662}s-028q5cu4qnjff",
        ]
    )
    func otherSpelling(text: String) {
        #expect(TaskID("2s-028q5cu4qnjff") != nil)
        #expect(TaskID(text) == nil)
    }

    @Test(
        "A session is thirteen lower-case letters within 64 bits",
        arguments: [
            "028Q5CU4QNJFF", "+28q5cu4qnjff", "-28q5cu4qnjff", "0028q5cu4qnjff", "28q5cu4qnjff",
            "g000000000000", "0000000000000",
        ]
    )
    func otherSession(text: String) {
        #expect(SessionID(text) == nil)
    }
}
