import BusProtocol
import TaskTree
import Testing

@testable import FleetCore

@Suite("The pages of a fleet's board") struct PageTests {
    @Test("sixty hosts that join at once: a page for each after seconds, and all agree whose it is")
    func contention() {
        var fleet = PlayedFleet(hosts: 60)
        for index in fleet.hosts.indices { fleet.hosts[index].show("Job \(index)", slot: 1) }
        fleet.pass(seconds: 15)
        #expect(fleet.hosts.allSatisfy { $0.pages.count == 1 })
        #expect(Set(fleet.hosts.flatMap(\.pages)).count == 60)
        let titles = fleet.hosts.map { $0.board[1]?.description_p.title ?? "" }
        for (index, host) in fleet.hosts.enumerated() {
            let others = titles.enumerated().filter { $0.offset != index }.map(\.element)
            #expect(host.others.values.sorted() == others.sorted(), "host \(index)")
        }
    }

    @Test("who claims a page that is somebody's takes nothing from it")
    func claimOfTakenPage() {
        var fleet = PlayedFleet.two()
        let (pages, shown) = (fleet.hosts.map(\.pages), fleet.hosts.map(\.others))
        var record = WireFleetRecord()
        record.broker = 9
        for page in pages.flatMap({ $0 }) {
            for index in 0...1 {
                fleet.receive(.record(.page(page), record, isStored: false), at: index)
            }
        }
        fleet.pass(seconds: 5)
        #expect(fleet.hosts.map(\.pages) == pages)
        #expect(fleet.hosts.map(\.others) == shown)
        #expect(fleet.hosts.flatMap(\.warnings) == [])
    }

    @Test("jobs beyond a page are on the next one of the host")
    func severalPages() {
        var fleet = PlayedFleet.two()
        for slot in 2...130 { fleet.hosts[1].show("Job \(slot)", slot: slot) }
        fleet.pass(seconds: 5)
        #expect(fleet.hosts[1].pages.count == 3)
        #expect(fleet.hosts[0].others.count == 130)
        let last = fleet.hosts[1].pages[2] * 64 + 2
        #expect(fleet.hosts[0].others[last] == "Job 130")
    }

    @Test("a page that is nearly full: the next one is claimed before a job needs it")
    func nextPage() {
        var fleet = PlayedFleet.two()
        for slot in 2...48 { fleet.hosts[1].show("Job \(slot)", slot: slot) }
        fleet.pass(seconds: 5)
        #expect(fleet.hosts[1].pages.count == 1)
        fleet.hosts[1].show("Job 49", slot: 49)
        fleet.pass(seconds: 5)
        #expect(fleet.hosts[1].pages.count == 2)
    }

    @Test("a bridge that has not read yet keeps the order of its pages, though another claims one")
    func claimBeforeReading() {
        var fleet = PlayedFleet.two()
        for slot in 2...70 { fleet.hosts[1].show("Job \(slot)", slot: slot) }
        fleet.pass(seconds: 5)
        let (pages, shown) = (fleet.hosts[1].pages, fleet.hosts[0].others)
        fleet.begin(1, pages: pages)
        var record = WireFleetRecord()
        record.broker = 9
        fleet.receive(.record(.page(pages[0]), record, isStored: false), at: 1)
        fleet.pass(seconds: 5)
        #expect(pages.count == 2 && fleet.hosts[1].pages == pages)
        #expect(fleet.hosts[0].others == shown)
    }

    @Test(
        "a job on a second page is shown though the last page of the board is an idle host's"
    )
    func secondPage() {
        var fleet = PlayedFleet(hosts: 2)
        fleet.pass(seconds: 3)
        let first = fleet.hosts[0].pages[0] < fleet.hosts[1].pages[0] ? 0 : 1
        fleet.hosts[first].show("Nightly", slot: 70)
        fleet.pass(seconds: 5)
        #expect(fleet.hosts[first].pages.count == 2)
        #expect(fleet.hosts[1 - first].others.values.sorted() == ["Nightly"])
    }
}
