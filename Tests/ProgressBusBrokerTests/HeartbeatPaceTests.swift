import TaskTree
import Testing

@testable import ProgressBusBroker

@Suite("When the thread that receives reports lets heartbeats gather")
struct HeartbeatPaceTests {
    private func at(_ milliseconds: Double) -> Moment {
        Moment(nanoseconds: 1_000_000_000).advanced(bySeconds: milliseconds / 1_000)
    }

    @Test("a few sessions: never")
    func few() {
        var pace = HeartbeatPace()
        for number in 0..<100 {
            let now = at(Double(number) * 6)
            let tick = now.advanced(bySeconds: 0.03)
            #expect(pace.rest(after: .heartbeats, now: now, tick: tick) == nil)
        }
    }

    @Test("thick and no tick near: the usual few milliseconds, again and again")
    func thick() {
        var pace = HeartbeatPace()
        #expect(pace.rest(after: .heartbeats, now: at(0), tick: at(-40)) == nil)
        #expect(pace.rest(after: .heartbeats, now: at(1), tick: at(-40)) == 3)
        #expect(pace.rest(after: .heartbeats, now: at(5), tick: at(-40)) == 3)
    }

    @Test("a tick is near: until shortly before it, at most the longest rest")
    func untilTick() {
        var pace = HeartbeatPace()
        _ = pace.rest(after: .heartbeats, now: at(0), tick: at(50))
        #expect(pace.rest(after: .heartbeats, now: at(1), tick: at(50)) == 10)
        #expect(pace.rest(after: .heartbeats, now: at(12), tick: at(20)) == 6)
        #expect(pace.rest(after: .heartbeats, now: at(19), tick: at(20)) == 3)
        #expect(pace.rest(after: .heartbeats, now: at(23), tick: .init(nanoseconds: .min)) == 3)
    }

    @Test("behind a report, and where nothing came, it waits for what comes")
    func reports() {
        var pace = HeartbeatPace()
        _ = pace.rest(after: .heartbeats, now: at(0), tick: at(50))
        #expect(pace.rest(after: .reports, now: at(1), tick: at(50)) == nil)
        #expect(pace.rest(after: .heartbeats, now: at(2), tick: at(50)) == nil)
        #expect(pace.rest(after: .heartbeats, now: at(3), tick: at(50)) == 10)
        #expect(pace.rest(after: .nothing, now: at(13), tick: at(50)) == nil)
    }
}
