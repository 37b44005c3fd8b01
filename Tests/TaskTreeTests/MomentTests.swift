import TaskTree
import Testing

@Suite("Moments")
struct MomentTests {
    @Test("a wait is rounded up, none for the past, an hour at most, however far both are apart")
    func milliseconds() {
        let now = Moment(nanoseconds: 5_000_000_000)
        #expect(Moment(nanoseconds: 5_000_000_001).milliseconds(since: now) == 1)
        #expect(Moment(nanoseconds: 5_002_000_000).milliseconds(since: now) == 2)
        #expect(now.milliseconds(since: now) == 0)
        #expect(Moment(nanoseconds: .min).milliseconds(since: now) == 0)
        #expect(Moment(nanoseconds: .max).milliseconds(since: now) == 3_600_000)
        #expect(now.milliseconds(since: Moment(nanoseconds: .min)) == 3_600_000)
    }
}
