import BusProtocol
import TaskTree
import Testing

@testable import FleetCore

@Suite("What a bridge says of its broker's jobs") struct OwnSlotsTests {
    @Test("a job that gets on all the time: ten records a second, none of them late")
    func oneJob() {
        var jobs = PlayedJobs(1)
        let said = jobs.said(seconds: 10, hosts: 3)
        #expect((99...100).contains(said.count), "\(said.count)")
        let gaps = zip(said, said.dropFirst()).map { $1.at.seconds(since: $0.at) }
        #expect(gaps.allSatisfy { $0 < 0.11 }, "\(gaps)")
    }

    @Test("many jobs that get on all the time: 80 records a second, of each job as many")
    func manyJobs() {
        var jobs = PlayedJobs(40)
        let said = jobs.said(seconds: 10, hosts: 3)
        #expect((790...810).contains(said.count), "\(said.count)")
        let counts = Dictionary(grouping: said, by: \.slot).mapValues(\.count)
        #expect(counts.count == 40 && counts.values.allSatisfy { (19...21).contains($0) })
    }

    @Test("a thousand hosts: 5,000 records a second of all, and what people wait for at once")
    func manyHosts() {
        var jobs = PlayedJobs(40)
        let said = jobs.said(seconds: 10, hosts: 1_000)
        #expect((50...55).contains(said.count), "\(said.count)")
        #expect(Set(said.prefix(40).map(\.slot)).count == 40)
        jobs.rows[6].progress.state = .failed
        #expect(jobs.said(seconds: 0.025, hosts: 1_000).map(\.slot).contains(7))
    }

    @Test("after a pause in which nothing is said: few records at once")
    func afterPause() {
        var jobs = PlayedJobs(40)
        jobs.pass(seconds: 30)
        #expect(jobs.said(seconds: 0.025, hosts: 1).count == 8)
    }

    @Test("a thousand hosts: what is unchanged is said again after a minute, beside what gets on")
    func repeatedAmongMany() {
        var jobs = PlayedJobs(40, changing: 20)
        let said = jobs.said(seconds: 62, hosts: 1_000)
        #expect(Set(said.map(\.slot)) == Set(1...40))
    }
}

/// Jobs in the first slots of a bridge, which change with each tick.
private struct PlayedJobs {
    private var slots = OwnSlots()
    private var now = Moment(nanoseconds: 1_000_000_000)
    var rows: [WireRow]
    private let changing: Int

    /// Makes so many, of which all or the first ones change; each has been said once.
    init(_ count: Int, changing: Int? = nil) {
        rows = (1...count).map { slot in
            var row = WireRow()
            row.description_p.slot = UInt32(slot)
            row.progress.state = .running
            row.sequence = 1
            return row
        }
        self.changing = changing ?? count
        slots.take(rows, page: 0)
        _ = slots.takeDue(at: now, hosts: 1)
    }

    mutating func pass(seconds: Double) { now = now.advanced(bySeconds: seconds) }

    /// What is said of them in so many seconds, with 40 ticks in each.
    mutating func said(seconds: Double, hosts: Int) -> [(slot: Int, at: Moment)] {
        var said: [(slot: Int, at: Moment)] = []
        for _ in 0..<Int(seconds * 40) {
            now = now.advanced(bySeconds: 0.025)
            for place in 0..<changing {
                rows[place].sequence += 1
                rows[place].progress.completed += 1
            }
            slots.take(rows, page: 0)
            said += slots.takeDue(at: now, hosts: hosts).map { ($0.slot, now) }
        }
        return said
    }
}
