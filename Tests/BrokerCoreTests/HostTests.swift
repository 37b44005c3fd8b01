import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// The tasks of a job by host.
@Suite struct HostTests {
    private let first = Client(1)
    private let second = Client(2)
    private let viewer = Client(3, viewer: true)
    private var job: TaskID { first.task(1) }

    private func hello(_ client: Client, on host: String) -> WireClientFrame.OneOf_Body {
        guard case .hello(var hello) = client.hello else { return client.hello }
        hello.process.host = host
        return .hello(hello)
    }

    /// A job of the first with two children, and a child of the second's below it.
    private func bus() -> Bus {
        var bus = Bus()
        bus.control(first, hello(first, on: "render-1"))
        bus.control(second, hello(second, on: "render-2"))
        bus.control(viewer, viewer.hello)
        bus.report(first) {
            $0.sequence = 1
            $0.descriptions = [
                first.description(1, "Job"), first.description(2, "One", parent: job),
                first.description(3, "Two", parent: job),
            ]
        }
        bus.report(second) {
            $0.sequence = 1
            $0.descriptions = [second.description(1, "Far", parent: job)]
        }
        bus.pass()
        return bus
    }

    private func published(_ bus: Bus) -> [WireHosts] {
        bus.published.filter { $0.topic == .hosts(job) && $0.update.hasHosts }.map(\.update.hosts)
    }

    private func counts(_ hosts: WireHosts?, _ name: String) -> WireCounts? {
        hosts?.hosts.first { $0.host == name }?.counts
    }

    @Test func eachHostHasItsOwnAndAllTogetherAreTheCountsOfTheJob() throws {
        var bus = bus()
        bus.subscribe(.hosts(job))
        bus.pass()
        let hosts = try #require(published(bus).last)
        #expect(hosts.hosts.map(\.host) == ["render-1", "render-2"])
        #expect(counts(hosts, "render-1")?.running == 2)
        #expect(counts(hosts, "render-2")?.running == 1)
        #expect(!hosts.partial && hosts.otherHosts == 0)

        bus.control(
            second,
            second.endings(
                2,
                [second.ending(second.description(1, "Far", parent: job), .failed, reason: "full")]
            )
        )
        var fold = WireFold()
        fold.parent = WireTaskRef(job)
        fold.succeeded = 5
        fold.share = 5
        fold.weightedLow = 5 << 50
        fold.removed = [2]
        var folds = WireEndings()
        folds.sequence = 2
        folds.folds = [fold]
        bus.control(first, .endings(folds))
        bus.pass(1.1)
        let later = try #require(published(bus).last)
        #expect(counts(later, "render-1")?.succeeded == 5)
        #expect(counts(later, "render-1")?.running == 1)
        #expect(counts(later, "render-2")?.failed == 1)
        let row = bus.row(job, asking: viewer)?.progress.counts
        #expect(row?.succeeded == 5 && row?.running == 1 && row?.failed == 1)
    }

    @Test func whatSaysThatItRunsElsewhereCountsThereAndIsFoundThere() throws {
        var bus = bus()
        bus.report(first) {
            $0.sequence = 2
            var far = first.description(4, "Command", parent: job)
            far.host = "render-2"
            $0.descriptions = [far]
        }
        bus.subscribe(.hosts(job))
        bus.pass()
        let hosts = try #require(published(bus).last)
        #expect(counts(hosts, "render-1")?.running == 2)
        #expect(counts(hosts, "render-2")?.running == 2)
        let row = try #require(bus.row(first.task(4), asking: viewer)?.description_p)
        #expect(row.host == "render-2" && row.process.host == "render-1")

        var find = WireFind()
        find.request = 9
        find.search.filter = "host:render-2"
        find.search.job = WireTaskRef(job)
        bus.control(viewer, .find(find))
        guard case .found(let found) = bus.answers(to: viewer).last else {
            Issue.record("nothing found")
            return
        }
        #expect(Set(found.tasks.map(\.title)) == ["Command", "Far"])
    }

    @Test func theyArePublishedOnceASecondAndOnlyWhereTheyChange() {
        var bus = bus()
        bus.pass(2)
        #expect(published(bus).isEmpty, "nobody follows them")
        bus.subscribe(.hosts(job))
        bus.pass(0.1)
        #expect(published(bus).count == 1)
        for index in 10..<30 as Range<UInt64> {
            bus.report(first) {
                $0.sequence = index
                $0.descriptions = [first.description(index, "More", parent: job)]
            }
            bus.pass(0.05)
        }
        #expect((1...3).contains(published(bus).count))
        bus.pass(1.1)
        #expect(counts(published(bus).last, "render-1")?.running == 22)
        let before = published(bus).count
        bus.report(first) {
            $0.sequence = 40
            $0.add(2, completed: 5, total: 10)
        }
        bus.pass(2)
        #expect(published(bus).count == before)

        // Whoever comes later is told by a snapshot.
        var request = WireSnapshotRequest()
        request.request = 7
        request.topic = Topic.hosts(job).name
        bus.control(viewer, .snapshot(request))
        guard case .snapshot(let chunk) = bus.answers(to: viewer).last else {
            Issue.record("no snapshot")
            return
        }
        #expect(chunk.last && counts(chunk.hosts, "render-1")?.running == 22)
    }

    @Test func whoeverBeginsToFollowIsToldAtOnceAndWhatIsCountedHasItsRest() {
        var bus = bus()
        for turn in 1...4 {
            bus.subscribe(.hosts(job))
            bus.pass(0.1)
            #expect(published(bus).count == turn)
            bus.unsubscribe(.hosts(job))
            bus.pass(0.05)
        }
        for index in 2...200 as ClosedRange<UInt64> {
            bus.report(first) {
                $0.sequence = index
                $0.descriptions = (0..<100).map {
                    first.description(index * 100 + $0, "More", parent: job)
                }
            }
            bus.pass()
        }
        bus.subscribe(.hosts(job))
        bus.pass(0.1)
        #expect(published(bus).count == 5)
        bus.unsubscribe(.hosts(job))
        bus.subscribe(.hosts(job))
        bus.pass(0.1)
        #expect(published(bus).count == 5, "19,900 of 65,536 tasks are to rest for 0.3 s")
        bus.pass(0.3)
        #expect(published(bus).count == 6)
    }

    @Test func moreHostsThanFitAreOneSumAndMoreTasksThanAreLookedAtAreSaid() throws {
        var bus = bus()
        for number in 10..<UInt8(10 + ProtocolLimits.hosts) {
            let client = Client(number)
            bus.control(client, hello(client, on: "z\(100 + Int(number))"))
            bus.report(client) {
                $0.sequence = 1
                $0.descriptions = [client.description(1, "Far", parent: job)]
            }
        }
        bus.pass()
        bus.subscribe(.hosts(job))
        bus.pass()
        let hosts = try #require(published(bus).last)
        #expect(hosts.hosts.count == ProtocolLimits.hosts && hosts.hosts[0].host == "render-1")
        #expect(hosts.otherHosts == 2 && hosts.others.running == 2)
        let some = bus.machine.tree.countsByHost(below: job, within: 50)
        #expect(some.looked == 50 && !some.isWhole)
        let all = bus.machine.tree.countsByHost(below: job, within: 103)
        #expect(all.looked == 103 && all.isWhole)
    }
}
