import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// What a search finds in a job, in which order, and where it ends.
@Suite struct SearchTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    /// Job 1 with branches 3 and 2, which begin in this order.
    ///
    /// 3 has parts 20 to 22, 2 has parts 10 to 12. Of them 11 and 21 have failed.
    private func bus(_ change: (inout CoreConfiguration) -> Void = { _ in }) -> Bus {
        var configuration = CoreConfiguration()
        change(&configuration)
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer] { bus.control(client, client.hello) }
        begin(in: &bus, 2, [worker.description(1, "Job")])
        begin(in: &bus, 3, [worker.description(3, "Branch 3", parent: task(1))])
        begin(in: &bus, 4, [worker.description(2, "Branch 2", parent: task(1))])
        let parts: [UInt64] = [20, 10, 11, 21, 12, 22]
        let descriptions = parts.map {
            worker.description($0, "Part \($0)", parent: task($0 / 10 + 1))
        }
        begin(in: &bus, 5, descriptions)
        let endings = descriptions.filter { [11, 21].contains($0.index) }
        bus.control(worker, worker.endings(6, endings.map { worker.ending($0, .failed) }))
        bus.pass()
        return bus
    }

    private func begin(in bus: inout Bus, _ sequence: UInt64, _ tasks: [WireDescription]) {
        bus.report(worker) {
            $0.sequence = sequence
            $0.descriptions = tasks
        }
        bus.pass()
    }

    private func task(_ index: UInt64) -> TaskID { worker.task(index) }

    private func ask(
        _ filter: String,
        in bus: inout Bus,
        job: UInt64 = 1,
        after: UInt64? = nil,
        backwards: Bool = false
    ) -> WireBrokerFrame.OneOf_Body? {
        var find = WireFind()
        find.request = 9
        find.search.filter = filter
        find.search.job = WireTaskRef(task(job))
        if let after { find.search.after = WireTaskRef(task(after)) }
        find.search.backwards = backwards
        bus.control(viewer, .find(find))
        return bus.answers(to: viewer).last
    }

    private func search(
        _ filter: String,
        in bus: inout Bus,
        after: UInt64? = nil,
        backwards: Bool = false
    ) -> WireFound {
        guard
            case .found(let found)? = ask(filter, in: &bus, after: after, backwards: backwards)
        else {
            Issue.record("there is no answer")
            return WireFound()
        }
        #expect(found.hasSearched && found.request == 9)
        return found
    }

    private func indices(_ found: WireFound) -> [UInt64] { found.tasks.map(\.task.index) }

    @Test("everything: the tree from the job down, children by place, each with the way to it")
    func order() {
        var bus = bus()
        let found = search("", in: &bus)
        #expect(indices(found) == [1, 3, 20, 21, 22, 2, 10, 11, 12])
        #expect(found.searched.hits == 9 && found.searched.looked == 9)
        #expect(!found.searched.hasReached)
        #expect(found.tasks[7].path == [WireTaskRef(task(1)), WireTaskRef(task(2))])
        #expect(found.tasks[7].place == [2, 2])
    }

    @Test("after a task: on to the last, and then from the job on; backwards the other way")
    func cursor() {
        var bus = bus()
        #expect(indices(search("", in: &bus, after: 11)) == [12, 1, 3, 20, 21, 22, 2, 10, 11])
        #expect(
            indices(search("", in: &bus, after: 11, backwards: true))
                == [10, 2, 22, 21, 20, 3, 1, 12, 11]
        )
        #expect(
            indices(search("", in: &bus, backwards: true)) == [12, 11, 10, 2, 22, 21, 20, 3, 1]
        )
        #expect(indices(search("failed", in: &bus, after: 11)) == [21, 11])
        #expect(indices(search("failed", in: &bus, after: 21)) == [11, 21])
        #expect(indices(search("failed", in: &bus, after: 21, backwards: true)) == [11, 21])
        // One that is not in the job.
        #expect(indices(search("failed", in: &bus, after: 99)) == [21, 11])
    }

    @Test("a hit is a task itself: none for what is below it")
    func hits() {
        var bus = bus()
        #expect(indices(search("!", in: &bus)) == [21, 11])
        #expect(indices(search("PART 2", in: &bus)) == [20, 21, 22])
        #expect(indices(search("branch running", in: &bus)) == [3, 2])
        #expect(indices(search("host:HOS part 22", in: &bus)) == [22])
        #expect(indices(search("host:other", in: &bus)) == [])
        #expect(indices(search("key:job", in: &bus)) == [1])
    }

    @Test("many children: far places too, twenty in an answer, and all of them counted")
    func many() {
        var bus = bus()
        begin(
            in: &bus,
            7,
            (1_000..<1_200).map {
                worker.description($0, "Leaf \($0)", parent: task(22))
            }
        )
        let found = search("leaf", in: &bus)
        #expect(indices(found) == Array(1_000..<1_020))
        #expect(found.searched.hits == 200)
        #expect(indices(search("leaf", in: &bus, after: 1_063)).prefix(2) == [1_064, 1_065])
        let before = search("leaf", in: &bus, after: 1_065, backwards: true)
        #expect(indices(before).prefix(3) == [1_064, 1_063, 1_062])
    }

    @Test("where there are more tasks than looks, the search ends and the next one goes on there")
    func bounded() {
        var bus = bus { $0.looksPerSearch = 4 }
        let first = search("failed", in: &bus)
        #expect(indices(first) == [21])
        #expect(first.searched.hits == 1 && first.searched.looked == 4)
        #expect(first.searched.reached == WireTaskRef(task(21)))
        let second = search("failed", in: &bus, after: 21)
        #expect(indices(second) == [11])
        #expect(second.searched.reached == WireTaskRef(task(11)))
        // A filter that looks in two ways looks at half as many.
        #expect(search("failed part", in: &bus).searched.looked == 2)
    }

    @Test("long texts take more looks")
    func longTexts() {
        var bus = bus { $0.looksPerSearch = 9 }
        let title = String(repeating: "long ", count: 40)
        begin(in: &bus, 7, [worker.description(2, title, parent: task(1))])
        let found = search("part", in: &bus)
        #expect(found.searched.looked == 7 && found.searched.hasReached)
    }

    @Test("a job that there is not, and a task that is none: refused in words")
    func noJob() {
        var bus = bus()
        for job: UInt64 in [2, 77] {
            guard case .refusal(let refusal)? = ask("failed", in: &bus, job: job) else {
                Issue.record("it is not refused")
                continue
            }
            #expect(refusal.code == RefusalCode.unknownTask.rawValue && refusal.request == 9)
        }
    }

    @Test("who has looked at too much in a second is busy, and says so; in the next one not")
    func busy() {
        var bus = bus { ($0.looksPerSecond, $0.fewTasks) = (30, 0) }
        bus.pass(1.1, hearing: [worker, viewer])
        // Nine tasks, four looks each.
        #expect(search("failed", in: &bus).searched.looked == 9)
        guard case .refusal(let refusal)? = ask("failed", in: &bus) else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.code == RefusalCode.busy.rawValue)
        #expect(refusal.sentence.contains("more than 30 tasks in this second"))
        bus.pass(1.1, hearing: [worker, viewer])
        #expect(search("failed", in: &bus).searched.looked == 9)
    }

    @Test(
        "a hostile filter finds nothing and harms nobody",
        arguments: ["key:", "host:", "\u{1}", "a a"]
    )
    func hostile(word: String) {
        var bus = bus()
        let filter = String(repeating: word + " ", count: 400 / (word.utf8.count + 1))
        let found = search(filter, in: &bus)
        #expect(found.searched.looked <= 9)
        #expect(found.searched.hits <= found.searched.looked)
    }
}
