@testable import OutputReading
import ProgressBus
import ProgressBusTesting
import Testing

@testable import ProgressBusCommand

@Suite("What a command's task says of what was read")
struct ChildTaskTests {
    private let bus = TestBus()

    private func sample(
        _ part: String?,
        _ completed: Int64? = nil,
        of total: Int64? = nil
    )
        -> ProgressSample
    {
        var sample = ProgressSample(part: part)
        (sample.completed, sample.total) = (completed, total)
        return sample
    }

    private func parts(_ count: Int) -> ProgressSample {
        var sample = ProgressSample()
        sample.expectedParts = count
        return sample
    }

    private func share(of title: String) -> Int64? {
        bus.task(titled: title)?.share
    }

    @Test("a part begins with what is known of it, and ends once")
    func part() {
        var task = ChildTask(bus.client.beginJob("Copy"))
        var first = sample("a", 1, of: 10)
        first.unit = "files"
        task.say([first])
        #expect(task.hasRead)
        let begun = bus.task(titled: "a")
        #expect(begun?.completed == 1 && begun?.total == 10 && begun?.unit == "files")
        var last = sample("a", 10)
        last.isDone = true
        task.say([last])
        #expect(bus.task(titled: "a")?.state == .succeeded)
    }

    @Test("parts count where the command has nothing but them and their number")
    func counting() {
        var task = ChildTask(bus.client.beginJob("Copy"))
        task.say([sample("before", 1)])
        #expect(share(of: "before") == 0)
        task.say([parts(3), sample("after", 1)])
        #expect(share(of: "before") == 1 && share(of: "after") == 1)
        #expect(bus.task(titled: "Copy")?.options.expectedChildren == 3)
    }

    @Test("parts count for nothing where the command has amounts of its own")
    func ownAmounts() {
        var task = ChildTask(bus.client.beginJob("Copy"))
        task.say([sample(nil, 5), parts(3), sample("a", 1)])
        #expect(share(of: "a") == 0)
        #expect(bus.task(titled: "Copy")?.options.expectedChildren == nil)
    }

    @Test("what was said is taken back, and what is said from then on holds")
    func takingBack() {
        var task = ChildTask(bus.client.beginJob("Copy"))
        task.say([sample(nil, 5, of: 10)])
        var unknown = sample(nil, 1)
        unknown.isUnknown = true
        task.say([unknown])
        let job = bus.task(titled: "Copy")
        #expect(job?.completed == 1 && job?.total == nil)
    }
}
