import DashboardCore
import TaskTree
import Testing

@testable import Dashboard
@testable import ProgressBus

@Suite("Pictures of the bus for the dashboard")
struct PictureConversionTests {
    private let now = Moment(nanoseconds: 7)

    private func id(_ index: UInt64) -> TaskID {
        TaskID(index: index, session: SessionID(rawValue: 9))
    }

    @Test("the connection: as the follower says")
    func connection() {
        let pairs: [(Board.Connection, DashboardPicture.Connection)] = [
            (.connecting, .connecting), (.live, .live), (.reconnecting, .reconnecting),
        ]
        for (given, expected) in pairs {
            let picture = Picture(connection: given, loading: given != .live)
            let converted = DashboardPicture(picture, madeAt: now)
            #expect(converted.connection == expected)
            #expect(converted.isLoading == (given != .live))
            #expect(converted.bus == nil)
        }
    }

    @Test("members, states, attention: unchanged")
    func contents() {
        let (job, child) = (id(1), id(2))
        var picture = Picture(connection: .live, loading: false)
        picture.members = [.board(page: 0): [job], .children(of: job, block: 0): [child]]
        picture.states = [.states(of: job, block: 0): [1, 2, 3]]
        picture.attention = [child]
        let converted = DashboardPicture(picture, madeAt: now)
        #expect(converted.members == picture.members)
        #expect(converted.states == picture.states)
        #expect(converted.attention == [child])
        #expect(converted.changed.isEmpty && converted.left.isEmpty)
    }

    @Test("a command that could not be asked: why, and no answers")
    func failure() {
        let outcome = CommandOutcome(FollowError(.timedOut, "no answer within 10 s"))
        #expect(outcome.text == "no answer within 10 s")
        #expect(outcome.accepted + outcome.refused + outcome.gone + outcome.noAnswer == 0)
        #expect(CommandOutcome([]) == CommandOutcome())
    }
}
